package org.azuremail.web.layout;

import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseCookie;
import org.springframework.web.servlet.FlashMap;
import org.springframework.web.servlet.support.AbstractFlashMapManager;
import org.springframework.web.util.WebUtils;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * Carries a {@link Notice}, and nothing else, to the next page in a cookie of its own. There are no servlet sessions,
 * and another process may answer the request for the next page.
 */
final class NoticeCookie extends AbstractFlashMapManager {

    private static final Duration LIFE = Duration.ofMinutes(3);

    private final JsonMapper json;
    private final String name;
    private final boolean https;

    record Carried(
            @Nullable String path, long expires, @Nullable Notice notice) {}

    NoticeCookie(JsonMapper json, boolean https) {
        this.json = json;
        this.name = https ? "__Host-azuremail-notice" : "azuremail-notice";
        this.https = https;
    }

    @Override
    protected @Nullable List<FlashMap> retrieveFlashMaps(HttpServletRequest request) {
        Cookie cookie = WebUtils.getCookie(request, name);
        if (cookie == null || cookie.getValue().isEmpty()) {
            return null;
        }
        try {
            byte[] text = Base64.getUrlDecoder().decode(cookie.getValue());
            Carried carried = json.readValue(text, Carried.class);
            if (carried == null || carried.notice == null) {
                return null;
            }
            FlashMap map = new FlashMap();
            map.put(Notice.ATTRIBUTE, carried.notice);
            map.setTargetRequestPath(carried.path);
            map.setExpirationTime(carried.expires);
            return new ArrayList<>(List.of(map));
        } catch (IllegalArgumentException | JacksonException notOurs) {
            return null;
        }
    }

    @Override
    protected void updateFlashMaps(List<FlashMap> maps, HttpServletRequest request, HttpServletResponse response) {
        String value = maps.isEmpty() ? "" : written(maps.get(maps.size() - 1));
        ResponseCookie cookie = ResponseCookie.from(name, value)
                .path("/")
                .httpOnly(true)
                .secure(https)
                .sameSite("Lax")
                .maxAge(value.isEmpty() ? Duration.ZERO : LIFE)
                .build();
        response.addHeader(HttpHeaders.SET_COOKIE, cookie.toString());
    }

    private String written(FlashMap map) {
        if (!(map.get(Notice.ATTRIBUTE) instanceof Notice notice)) {
            return "";
        }
        Carried carried = new Carried(map.getTargetRequestPath(), map.getExpirationTime(), notice);
        return Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString(json.writeValueAsString(carried).getBytes(StandardCharsets.UTF_8));
    }
}
