package org.azuremail.mail;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;

/**
 * A bounded cache of the form that a transport creates of each recent content, by the content's id. Safe for use from
 * many threads.
 */
public final class ContentCache<T> {

    private static final int CONTENTS = 8;

    private final Function<MailContent, T> maker;
    private final Map<String, T> made = new LinkedHashMap<>(CONTENTS * 2, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, T> eldest) {
            return size() > CONTENTS;
        }
    };

    public ContentCache(Function<MailContent, T> maker) {
        this.maker = maker;
    }

    public synchronized T get(MailContent content) {
        return made.computeIfAbsent(content.id(), id -> maker.apply(content));
    }
}
