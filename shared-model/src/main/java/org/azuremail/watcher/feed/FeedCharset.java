package org.azuremail.watcher.feed;

import com.rometools.rome.io.XmlReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.Charset;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds the charset of a feed in XML. */
final class FeedCharset {

    private static final Pattern CHARSET = Pattern.compile("(?i);\\s*charset\\s*=\\s*\"?([^\\s;\"]+)");

    private FeedCharset() {}

    /**
     * Reads in the charset of the byte order mark, or else of the header, or else of the declaration (RFC 7303, 3). The
     * library fails on the mark of UTF-16, and reads {@code text/xml} without a charset as US-ASCII.
     */
    static Reader reader(FeedFetcher.Response answer) throws IOException {
        InputStream body = new ByteArrayInputStream(answer.body());
        int first = answer.body().length == 0 ? 0 : Byte.toUnsignedInt(answer.body()[0]);
        if (first >= 0xFE) {
            return new InputStreamReader(body, StandardCharsets.UTF_16);
        }
        Matcher charset = CHARSET.matcher(answer.contentType());
        boolean named = first != 0xEF && charset.find() && isSupported(charset.group(1));
        return new XmlReader(body, named ? answer.contentType() : null, true);
    }

    private static boolean isSupported(String charset) {
        try {
            return Charset.isSupported(charset);
        } catch (IllegalCharsetNameException odd) {
            return false;
        }
    }
}
