package org.azuremail.gallery;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.azuremail.content.Layout;
import org.azuremail.content.Layout.Frame;
import org.azuremail.gallery.Mjml.TemplateValues;
import org.azuremail.list.ListName;
import org.azuremail.list.ListStore;
import org.azuremail.list.MailingList;
import org.azuremail.storage.ConditionalWrites;
import org.azuremail.storage.Key;
import org.azuremail.storage.KeyRange;
import org.azuremail.storage.Rows;
import org.azuremail.storage.Saved;
import org.azuremail.storage.TableStore;
import org.azuremail.storage.Values;
import org.azuremail.storage.Versioned;
import org.azuremail.storage.Write;
import org.azuremail.storage.WriteResult;
import org.jspecify.annotations.Nullable;

/**
 * Templates of messages in the table {@code template}. The row {@code .all}/{@code message:<name>} is a template for
 * all lists, and the row {@code <list>}/{@code message:<name>} is one of a list, which is deleted with the list. A
 * list's own template takes precedence over one of the same name for all lists. Safe for use from many threads and
 * processes.
 */
public record Gallery(TableStore tables, URI publicUrl) {

    public static final String TABLE = "template";

    /** The most stored templates for all lists together, and the most for each list. */
    public static final int MAX = 100;

    private static final String ALL = ".all";
    private static final String KIND = "message:";
    private static final String TEXT = "Mjml";

    /** The templates of the product, in the order in which they are offered. */
    private static final List<MessageTemplate> SHIPPED = Stream.of("letter", "newsletter", "announcement", "event")
            .map(Gallery::load)
            .toList();

    public Gallery {
        tables.createTable(TABLE);
    }

    public static List<MessageTemplate> shipped() {
        return SHIPPED;
    }

    /** Returns whether a template of the product has this name, which is reserved for it. */
    public static boolean isShipped(String name) {
        return SHIPPED.stream().anyMatch(one -> one.name().equals(name));
    }

    /**
     * Returns the stored templates, by name.
     *
     * @param list {@code null} for the templates of all lists
     */
    public List<MessageTemplate> stored(@Nullable ListName list) {
        return Rows.all(tables, TABLE, KeyRange.prefix(partition(list), KIND)).stream()
                .map(row -> template(list, row.rowKey().substring(KIND.length()), row.values()))
                .toList();
    }

    /** Returns the templates that a message to a list may use, each name once. */
    public List<MessageTemplate> offered(@Nullable ListName list) {
        Map<String, MessageTemplate> byName = new LinkedHashMap<>();
        SHIPPED.forEach(one -> byName.put(one.name(), one));
        stored(null).forEach(one -> byName.put(one.name(), one));
        if (list != null) {
            stored(list).forEach(one -> byName.put(one.name(), one));
        }
        return new ArrayList<>(byName.values());
    }

    public Optional<MessageTemplate> find(String name, @Nullable ListName list) {
        Optional<MessageTemplate> shipped =
                SHIPPED.stream().filter(one -> one.name().equals(name)).findFirst();
        return shipped.or(() -> Optional.ofNullable(list)
                .flatMap(own -> stored(own, name))
                .or(() -> stored(null, name))
                .map(Versioned::value));
    }

    public Optional<Versioned<MessageTemplate>> stored(@Nullable ListName list, String name) {
        return MessageTemplate.name(name)
                .flatMap(known -> tables.get(TABLE, key(list, known)))
                .map(row -> new Versioned<>(template(list, name, row.values()), row.etag()));
    }

    /**
     * Stores a valid template for all lists.
     *
     * @param etag the ETag as read; {@code null} for a new template
     */
    public Saved<MessageTemplate> save(MessageTemplate template, @Nullable String etag) {
        Key key = key(template.list(), template.name());
        Values values = Values.of(TEXT, template.mjml().text());
        return etag == null
                ? ConditionalWrites.insert(tables, TABLE, key, values, read -> template(template, read))
                : ConditionalWrites.replace(tables, TABLE, key, values, etag, read -> template(template, read));
    }

    /**
     * Stores a valid template of a list.
     *
     * @param owner the list as the caller has read it; a new list with the same name does not get the template
     * @param etag the ETag as read; {@code null} for a new template
     * @return {@code Missing} also if the list does not exist any more, or is being deleted
     */
    public Saved<MessageTemplate> save(MailingList owner, MessageTemplate template, @Nullable String etag) {
        Saved<MessageTemplate> saved = save(template, etag);
        if (saved instanceof Saved.Done<MessageTemplate> done && !new ListStore(tables).isStillThere(owner)) {
            delete(done.now());
            return new Saved.Missing<>();
        }
        return saved;
    }

    /** Deletes a template as it was read; returns {@code false} if it has changed since. */
    public boolean delete(Versioned<MessageTemplate> read) {
        Key key = key(read.value().list(), read.value().name());
        WriteResult result = tables.write(TABLE, key.partition(), new Write.Delete(key.row(), read.etag()));
        return result instanceof WriteResult.Written || tables.get(TABLE, key).isEmpty();
    }

    /** Returns the template around a message to a list; empty if there is no such template. */
    public Optional<Frame> frame(Layout layout, MailingList list) {
        return find(layout.template(), list.name())
                .map(found -> found.mjml().in(TemplateValues.of(list, layout.preview(), publicUrl)));
    }

    private static MessageTemplate template(MessageTemplate like, Values values) {
        return template(like.list(), like.name(), values);
    }

    private static MessageTemplate template(@Nullable ListName list, String name, Values values) {
        return new MessageTemplate(name, list, new Mjml(values.requireString(TEXT)), false);
    }

    private static Key key(@Nullable ListName list, String name) {
        return new Key(partition(list), KIND + name);
    }

    private static String partition(@Nullable ListName list) {
        return list == null ? ALL : list.value();
    }

    private static MessageTemplate load(String name) {
        try (InputStream text = Gallery.class.getResourceAsStream(name + ".mjml")) {
            String mjml = new String(Objects.requireNonNull(text).readAllBytes(), StandardCharsets.UTF_8);
            return new MessageTemplate(name, null, new Mjml(mjml), true);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * A template of messages.
     *
     * @param name 1 to 40 lower-case letters, digits, {@code -} and {@code _}
     * @param list the list to which it belongs; {@code null} for all lists
     * @param shipped whether it is part of the product, so it never changes
     */
    public record MessageTemplate(String name, @Nullable ListName list, Mjml mjml, boolean shipped) {

        private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9_-]{0,39}");

        public static Optional<String> name(String typed) {
            return Optional.of(typed.strip()).filter(name -> NAME.matcher(name).matches());
        }
    }
}
