package org.azuremail.web.layout;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.stereotype.Component;
import org.thymeleaf.context.IExpressionContext;
import org.thymeleaf.dialect.AbstractDialect;
import org.thymeleaf.dialect.IExpressionObjectDialect;
import org.thymeleaf.expression.IExpressionObjectFactory;

/**
 * The icons of the pages, by their names in Lucide (lucide.dev): {@code #icons} in templates, which show them through the
 * fragment {@code parts :: icon}.
 */
@Component
public final class Icons extends AbstractDialect implements IExpressionObjectDialect, IExpressionObjectFactory {

    private static final String NAME = "icons";

    private final Map<String, String> shapes = new ConcurrentHashMap<>();

    Icons() {
        super(NAME);
    }

    @Override
    public IExpressionObjectFactory getExpressionObjectFactory() {
        return this;
    }

    @Override
    public Set<String> getAllExpressionObjectNames() {
        return Set.of(NAME);
    }

    @Override
    public Object buildObject(IExpressionContext context, String name) {
        return this;
    }

    @Override
    public boolean isCacheable(String name) {
        return true;
    }

    /**
     * The shapes of an icon, to be put inside an {@code <svg viewBox="0 0 24 24">}.
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
