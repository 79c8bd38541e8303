package org.azuremail.web.security;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Locale;
import org.azuremail.storage.StorageException;
import org.azuremail.web.key.ApiKeys;
import org.azuremail.web.layout.RetryAfter;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.web.AuthenticationEntryPoint;
import org.springframework.security.web.access.AccessDeniedHandler;
import tools.jackson.databind.json.JsonMapper;

/** Refuses calls of the REST API with problems as in RFC 9457. */
record ApiProblems(JsonMapper json) implements AuthenticationEntryPoint, AccessDeniedHandler {

    static final String POLICY = "requests";

    @Override
    public void commence(HttpServletRequest request, HttpServletResponse response, AuthenticationException refused)
            throws IOException {
        ApiKeys.Refusal refusal = (ApiKeys.Refusal) request.getAttribute(ApiKeyFilter.REFUSAL);
        // RFC 6750, 3.1: no error code for a call without a key.
        response.setHeader(
                HttpHeaders.WWW_AUTHENTICATE,
                "Bearer realm=\"AzureMail\"" + (refusal == null ? "" : ", error=\"invalid_token\""));
        String code = refusal == null ? "missing" : refusal.name().toLowerCase(Locale.ROOT);
        write(request.getRequestURI(), response, problem(HttpStatus.UNAUTHORIZED, "key-" + code, why(refusal)));
    }

    private static String why(ApiKeys.@Nullable Refusal refusal) {
        if (refusal == null) {
            return "Send one API key in the header: Authorization: Bearer <key>."
                    + " Keys are created on the page API keys.";
        }
        return switch (refusal) {
            case UNKNOWN -> "This API key is not valid. Check that it was copied whole.";
            case EXPIRED -> "This API key has expired. Create a new one on the page API keys.";
            case REVOKED -> "This API key was revoked. Create a new one on the page API keys.";
        };
    }

    @Override
    public void handle(HttpServletRequest request, HttpServletResponse response, AccessDeniedException refused)
            throws IOException {
        write(
                request.getRequestURI(),
                response,
                problem(HttpStatus.FORBIDDEN, "forbidden", "This API key may not do that."));
    }

    /** Refuses a call with an admin's key from outside the admins' networks. */
    void outside(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String detail = "This API key is accepted from certain networks only, and " + request.getRemoteAddr()
                + " is not in one of them. Nothing was done.";
        write(request.getRequestURI(), response, problem(HttpStatus.FORBIDDEN, "network-not-allowed", detail));
    }

    /**
     * Refuses a call that exceeds the key's quota. The problem type is defined by draft-ietf-httpapi-ratelimit-headers.
     */
    void quotaExceeded(HttpServletRequest request, HttpServletResponse response, int limit) throws IOException {
        ProblemDetail problem = problem(
                HttpStatus.TOO_MANY_REQUESTS,
                "quota-exceeded",
                "This API key may make " + limit + " calls a second. Nothing was done; call again in a second.");
        problem.setType(URI.create("https://iana.org/assignments/http-problem-types#quota-exceeded"));
        problem.setProperty("violated-policies", List.of(POLICY));
        response.setHeader(HttpHeaders.RETRY_AFTER, "1");
        write(request.getRequestURI(), response, problem);
    }

    /** Refuses a call whose key could not be looked up. Nothing was done. */
    void storageUnavailable(HttpServletRequest request, HttpServletResponse response, StorageException away)
            throws IOException {
        response.setHeader(HttpHeaders.RETRY_AFTER, RetryAfter.SECONDS);
        String what = away.reason() == StorageException.Reason.DENIED
                ? "The storage denies this service access, until its operator corrects that."
                : "The storage is out of reach.";
        String detail = what + " Nothing was done; call again.";
        write(
                request.getRequestURI(),
                response,
                problem(HttpStatus.SERVICE_UNAVAILABLE, "service-unavailable", detail));
    }

    /**
     * Answers a call that was refused before its method was found, or that failed while it was handled.
     *
     * @param address the address of the call, as the caller wrote it
     */
    void failed(String address, HttpServletResponse response) throws IOException {
        HttpStatus status = HttpStatus.resolve(response.getStatus());
        HttpStatus errorStatus = status == null || !status.isError() ? HttpStatus.INTERNAL_SERVER_ERROR : status;
        ProblemDetail problem = ProblemDetail.forStatusAndDetail(errorStatus, detail(errorStatus));
        ProblemTypes.nameByStatus(problem);
        write(address, response, problem);
    }

    private static String detail(HttpStatus status) {
        return switch (status) {
            case BAD_REQUEST ->
                "The service cannot read this call. Its address has an empty part, an encoded slash, or another"
                        + " character that no address of ours has; or its method is unknown; or its body is broken.";
            case INTERNAL_SERVER_ERROR -> "Something is wrong here, not with the call. The page Events says what.";
            case CONTENT_TOO_LARGE ->
                "The body is larger than this key may send here. docs/api.md says how large it may be.";
            case REQUEST_TIMEOUT -> "The body took too long to arrive. Nothing was done; call again.";
            case SERVICE_UNAVAILABLE -> "The service is busy with too many bodies. Nothing was done; call again.";
            default -> "The call was refused: " + status.getReasonPhrase() + ".";
        };
    }

    private static ProblemDetail problem(HttpStatus status, String code, String detail) {
        ProblemDetail problem = ProblemDetail.forStatusAndDetail(status, detail);
        ProblemTypes.name(problem, code);
        return problem;
    }

    private void write(String address, HttpServletResponse response, ProblemDetail problem) throws IOException {
        try {
            problem.setInstance(new URI(address));
        } catch (URISyntaxException strange) {
            // The problem then names no instance.
        }
        response.setStatus(problem.getStatus());
        response.setContentType(MediaType.APPLICATION_PROBLEM_JSON_VALUE);
        json.writeValue(response.getOutputStream(), problem);
    }
}
