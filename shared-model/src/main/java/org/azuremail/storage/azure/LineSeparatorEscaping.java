package org.azuremail.storage.azure;

import com.azure.core.http.HttpPipelineCallContext;
import com.azure.core.http.HttpPipelinePosition;
import com.azure.core.http.policy.HttpPipelineSyncPolicy;
import com.azure.core.util.BinaryData;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Sends U+2028 and U+2029 as JSON escapes, which mean the same characters in JSON. Azurite expects the JSON of each
 * part of a batch on one line, and both characters end a line in JavaScript. Azurite answers a batch that contains one
 * of them with status 500.
 */
final class LineSeparatorEscaping extends HttpPipelineSyncPolicy {

    private static final String LINE = "\u2028";
    private static final String PARAGRAPH = "\u2029";

    /** Matches the length of a part, its other headers and its JSON, which the library writes without a line break. */
    private static final Pattern PART = Pattern.compile(
            "(?<=\nContent-Length: )(\\d++)(\r\n(?:[^\r\n]++\r\n)*+\r\n)([^\r\n\u2028\u2029]*+[\u2028\u2029][^\r\n]*+)");

    @Override
    public HttpPipelinePosition getPipelinePosition() {
        return HttpPipelinePosition.PER_CALL;
    }

    @Override
    protected void beforeSendingRequest(HttpPipelineCallContext context) {
        BinaryData body = context.getHttpRequest().getBodyAsBinaryData();
        String text = body == null ? "" : body.toString();
        if (text.contains(LINE) || text.contains(PARAGRAPH)) {
            context.getHttpRequest().setBody(escapeInBatch(text));
        }
    }

    /** Escapes both characters in a batch. A body that is not a batch stays as it is. */
    static String escapeInBatch(String body) {
        return PART.matcher(body).replaceAll(part -> Matcher.quoteReplacement(escapeInPart(part)));
    }

    private static String escapeInPart(MatchResult part) {
        String json = part.group(3).replace(LINE, "\\u2028").replace(PARAGRAPH, "\\u2029");
        // A separator has three bytes and one character, and its escape has six of both.
        int more = 3 * (json.length() - part.group(3).length()) / 5;
        return Integer.parseInt(part.group(1)) + more + part.group(2) + json;
    }
}
