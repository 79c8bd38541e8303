package org.azuremail.web.layout;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.stereotype.Component;

/**
 * The icons of the pages, by their names in Lucide (lucide.dev). They are {@code icons} in the frame of each page,
 * which shows them through the fragment {@code parts :: icon}.
 */
@Component
final class Icons {

    private final Map<String, String> shapes = new ConcurrentHashMap<>();

    Icons() {}

    /**
     * Returns the shapes of an icon for use inside an {@code <svg viewBox="0 0 24 24">}.
     *
     * @throws IllegalArgumentException if the set has no icon of this name
     */
    public String shapes(String name) {
        return shapes.computeIfAbsent(name, Icons::read);
    }

    private static String read(String name) {
        try (InputStream file = Icons.class.getResourceAsStream("/icons/" + name + ".svg")) {
            if (file == null) {
                throw new IllegalArgumentException("no icon of the name " + name);
            }
            String svg = new String(file.readAllBytes(), StandardCharsets.UTF_8);
            int opened = svg.indexOf('>', svg.indexOf("<svg"));
            return svg.substring(opened + 1, svg.lastIndexOf("</svg>")).strip();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
