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

/** Refuses calls of the REST API as RFC 9457 says. */
record ApiProblems(JsonMapper json) implements AuthenticationEntryPoint, AccessDeniedHandler {

    private static final String RETRY_SECONDS = "10";

    @Override
    public void commence(HttpServletRequest request, HttpServletResponse response, AuthenticationException refused)
            throws IOException {
        ApiKeys.Refusal refusal = (ApiKeys.Refusal) request.getAttribute(BearerKeyFilter.REFUSAL);
        // RFC 6750, 3.1: no error code for a call that brought no key.
        response.setHeader(
                HttpHeaders.WWW_AUTHENTICATE,
                "Bearer realm=\"AzureMail\"" + (refusal == null ? "" : ", error=\"invalid_token\""));
        ProblemDetail problem = ProblemDetail.forStatusAndDetail(HttpStatus.UNAUTHORIZED, why(refusal));
        ProblemTypes.name(
                problem,
                refusal == null ? "key-missing" : "key-" + refusal.name().toLowerCase(Locale.ROOT));
        write(request.getRequestURI(), response, problem);
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
        write(request, response, HttpStatus.FORBIDDEN, "This API key may not do that.");
    }

    /** The key is an admin's, and the caller is in none of the networks that admins call from. */
    void outside(HttpServletRequest request, HttpServletResponse response) throws IOException {
        ProblemDetail problem = ProblemDetail.forStatusAndDetail(
                HttpStatus.FORBIDDEN,
                "This API key is accepted from certain networks only, and " + request.getRemoteAddr()
                        + " is not in one of them. Nothing was done.");
        ProblemTypes.name(problem, "network-not-allowed");
        write(request.getRequestURI(), response, problem);
    }

    /** The problem type is that of draft-ietf-httpapi-ratelimit-headers. */
    void quotaExceeded(HttpServletRequest request, HttpServletResponse response, int limit) throws IOException {
        ProblemDetail problem = ProblemDetail.forStatusAndDetail(
                HttpStatus.TOO_MANY_REQUESTS,
                "This API key may make " + limit + " calls a second. Nothing was done; call again in a second.");
        problem.setType(URI.create("https://iana.org/assignments/http-problem-types#quota-exceeded"));
        problem.setProperty("code", "quota-exceeded");
        problem.setProperty("violated-policies", List.of(KeyQuotaFilter.POLICY));
        response.setHeader(HttpHeaders.RETRY_AFTER, "1");
        write(request.getRequestURI(), response, problem);
    }

    /** Nothing was done: nobody knows who asks. */
    void storageAway(HttpServletRequest request, HttpServletResponse response, StorageException away)
            throws IOException {
        response.setHeader(HttpHeaders.RETRY_AFTER, RETRY_SECONDS);
        write(
                request,
                response,
                HttpStatus.SERVICE_UNAVAILABLE,
                "The storage is out of reach. Nothing was done; call again.");
    }

    private void write(HttpServletRequest request, HttpServletResponse response, HttpStatus status, String detail)
            throws IOException {
        write(request.getRequestURI(), response, status, detail);
    }

    /** @param address of the call, as it was written */
    void write(String address, HttpServletResponse response, HttpStatus status, String detail) throws IOException {
        write(address, response, ProblemDetail.forStatusAndDetail(status, detail));
    }

    private void write(String address, HttpServletResponse response, ProblemDetail problem) throws IOException {
        HttpStatus status = HttpStatus.valueOf(problem.getStatus());
        ProblemTypes.nameByStatus(problem);
        problem.setTitle(status.getReasonPhrase());
        problem.setInstance(instance(address));
        response.setStatus(status.value());
        response.setContentType(MediaType.APPLICATION_PROBLEM_JSON_VALUE);
        json.writeValue(response.getOutputStream(), problem);
    }

    private static @Nullable URI instance(String address) {
        try {
            return new URI(address);
        } catch (URISyntaxException strange) {
            return null;
        }
    }
}
