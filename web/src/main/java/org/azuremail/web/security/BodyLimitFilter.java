package org.azuremail.web.security;

import jakarta.servlet.FilterChain;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.azuremail.web.connector.RequestBody;
import org.azuremail.web.layout.RetryAfter;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.server.PathContainer;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.util.unit.DataSize;
import org.springframework.web.filter.OncePerRequestFilter;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;

/**
 * Limits the body that each caller may send, before any of it is parsed. Strangers and subscribe keys may send
 * {@link RequestBody#SMALL} bytes. Providers' events, admins and admin keys may send more; messages, images,
 * suppressions and imported files may be much larger. An admin whose session ended recently may still send a form, or a
 * message or an image with its text, which {@link SignInEntryPoint} gives back. A body with a wildcard as its type is
 * refused. This filter runs after the filters that identify the caller and before those that read a form.
 */
final class BodyLimitFilter extends OncePerRequestFilter {

    private static final DataSize OF_ADMINS = DataSize.ofKilobytes(256);
    private static final DataSize OF_MESSAGES = DataSize.ofMegabytes(12);

    /**
     * The size of a form with the most addresses that may be suppressed at once. Each address has up to 254 bytes, and
     * a form may encode a byte in three characters.
     */
    private static final DataSize OF_SUPPRESSIONS = DataSize.ofMegabytes(8);

    /** More than an image may have, so that the form reports a larger file at its field. */
    private static final DataSize OF_IMAGES = DataSize.ofMegabytes(32);

    /** The forms that are given back, however large, if the session of their sender has ended. */
    private static final List<PathPattern> KEPT_FORMS = Stream.of("/messages/{ref}/edit/**", "/images/new")
            .map(PathPatternParser.defaultInstance::parse)
            .toList();

    private static final Set<String> ADMINS = Set.of("ROLE_" + SignedInContext.ROLE, "SCOPE_ADMIN");

    /** The limit for the signed bodies that providers send. */
    private static final Limit EVENTS = limit("/webhooks/**", DataSize.ofMegabytes(1));

    private static final Duration EVENTS_ARRIVE_WITHIN = Duration.ofSeconds(10);

    private record Limit(PathPattern addresses, DataSize size) {}

    private final List<Limit> limits;
    private final Predicate<HttpServletRequest> recentlySignedIn;

    /**
     * @param files the size of the largest request that uploads a file
     * @param recentlySignedIn whether an admin is signed in, or was until a few days ago, in the browser that sends a
     *     request
     */
    BodyLimitFilter(DataSize files, Predicate<HttpServletRequest> recentlySignedIn) {
        this.recentlySignedIn = recentlySignedIn;
        limits = List.of(
                limit("/subscribers/import", files),
                limit("/api/v1/lists/{list}/imports", files),
                limit("/suppressions/new", OF_SUPPRESSIONS),
                limit("/api/v1/suppressions", OF_SUPPRESSIONS),
                limit("/images/new", OF_IMAGES),
                limit("/api/v1/images", OF_IMAGES),
                limit("/messages/**", OF_MESSAGES),
                limit("/api/v1/messages/**", OF_MESSAGES));
    }

    private static Limit limit(String addresses, DataSize size) {
        return new Limit(PathPatternParser.defaultInstance.parse(addresses), size);
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        HttpStatus refusal = refusal(request);
        if (refusal == null) {
            chain.doFilter(request, response);
            return;
        }
        if (refusal == HttpStatus.SERVICE_UNAVAILABLE) {
            response.setHeader(HttpHeaders.RETRY_AFTER, RetryAfter.SECONDS);
        }
        response.sendError(refusal.value());
    }

    /**
     * Returns the status of a request whose body was refused while it was read, for an error page. Tomcat itself
     * answers 400 for all of these.
     */
    public static Optional<HttpStatus> refusal(ServletRequest failed) {
        Throwable cause = (Throwable) failed.getAttribute(RequestDispatcher.ERROR_EXCEPTION);
        while (cause != null && !(cause instanceof RequestBody.Refused)) {
            cause = cause.getCause();
        }
        return Optional.ofNullable((RequestBody.Refused) cause)
                .map(refused -> refused.reason() == RequestBody.Arrival.LATE
                        ? HttpStatus.REQUEST_TIMEOUT
                        : HttpStatus.CONTENT_TOO_LARGE);
    }

    private @Nullable HttpStatus refusal(HttpServletRequest request) {
        if (String.valueOf(request.getContentType()).indexOf('*') >= 0) {
            return HttpStatus.UNSUPPORTED_MEDIA_TYPE;
        }
        RequestBody body = (RequestBody) request.getAttribute(RequestBody.ATTRIBUTE);
        if (body == null) {
            return request.getContentLengthLong() > maxBytes(request) ? HttpStatus.CONTENT_TOO_LARGE : null;
        }
        return switch (body.arrival()) {
            case WHOLE -> null;
            case LARGE -> refusalOfLarge(request, body);
            case LATE -> HttpStatus.REQUEST_TIMEOUT;
            case EVICTED -> HttpStatus.SERVICE_UNAVAILABLE;
            case BROKEN, AWAITED -> HttpStatus.BAD_REQUEST;
        };
    }

    private @Nullable HttpStatus refusalOfLarge(HttpServletRequest request, RequestBody body) {
        long max = maxBytes(request);
        if (max <= RequestBody.SMALL || request.getContentLengthLong() > max) {
            return HttpStatus.CONTENT_TOO_LARGE;
        }
        if (isWebhook(request)) {
            body.allowWithin(max, EVENTS_ARRIVE_WITHIN);
            return null;
        }
        return body.allow(max) ? null : HttpStatus.SERVICE_UNAVAILABLE;
    }

    private long maxBytes(HttpServletRequest request) {
        long declared = request.getContentLengthLong();
        if (declared >= 0 && declared <= RequestBody.SMALL) {
            return RequestBody.SMALL;
        }
        if (isWebhook(request)) {
            return EVENTS.size().toBytes();
        }
        PathContainer address = PathContainer.parsePath(request.getRequestURI());
        if (!isAdmin() && !recentlySignedIn.test(request)) {
            return RequestBody.SMALL;
        }
        if (!isAdmin() && KEPT_FORMS.stream().noneMatch(form -> form.matches(address))) {
            return OF_ADMINS.toBytes();
        }
        return limits.stream()
                .filter(limit -> limit.addresses().matches(address))
                .map(Limit::size)
                .findFirst()
                .orElse(OF_ADMINS)
                .toBytes();
    }

    private static boolean isWebhook(HttpServletRequest request) {
        return EVENTS.addresses().matches(PathContainer.parsePath(request.getRequestURI()));
    }

    private static boolean isAdmin() {
        Authentication caller = SecurityContextHolder.getContext().getAuthentication();
        return caller != null
                && caller.isAuthenticated()
                && caller.getAuthorities().stream().anyMatch(role -> ADMINS.contains(role.getAuthority()));
    }
}
