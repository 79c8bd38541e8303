package org.azuremail.web.security;

import java.net.URI;
import org.azuremail.id.AsciiWord;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;

/** The types of problems (RFC 9457). The last part of a type is also the problem's {@code code}. */
public final class ProblemTypes {

    private static final String CODE = "code";

    private ProblemTypes() {}

    public static void name(ProblemDetail problem, String code) {
        problem.setType(URI.create("urn:azuremail:problem:" + code));
        problem.setProperty(CODE, code);
    }

    /** Names a problem after its status, unless it already has a name. */
    public static void nameByStatus(ProblemDetail problem) {
        HttpStatus status = HttpStatus.resolve(problem.getStatus());
        boolean named =
                problem.getProperties() != null && problem.getProperties().containsKey(CODE);
        if (status != null && !named) {
            name(problem, code(status));
        }
    }

    /** Returns the code of problems that only their status tells apart. */
    static String code(HttpStatus status) {
        return status == HttpStatus.CONTENT_TOO_LARGE ? "too-large" : AsciiWord.of(status);
    }
}
