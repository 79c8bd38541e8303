package org.azuremail.storage;

import java.util.regex.Pattern;

/** The rules of Azure for the names of tables, queues, containers and blobs. */
public final class StorageNames {

    private static final Pattern TABLE = Pattern.compile("[a-z][a-z0-9]{2,62}");
    private static final Pattern QUEUE = Pattern.compile("(?=.{3,63}$)[a-z0-9]+(-[a-z0-9]+)*");
    private static final Pattern BLOB = Pattern.compile("[!-\\[\\]-~]{1,512}");

    private StorageNames() {}

    /** @throws IllegalArgumentException when this cannot be a table's name */
    public static String requireTable(String name) {
        return require(TABLE, name, "table");
    }

    /** @throws IllegalArgumentException when this cannot be a queue's name */
    public static String requireQueue(String name) {
        return require(QUEUE, name, "queue");
    }

    /** @throws IllegalArgumentException when this cannot be a container's name */
    public static String requireContainer(String name) {
        return require(QUEUE, name, "container");
    }

    /** @throws IllegalArgumentException when these cannot be the names of a container and of a blob */
    static void requireBlob(String container, String name) {
        requireContainer(container);
        require(BLOB, name, "blob");
    }

    private static String require(Pattern pattern, String name, String what) {
        if (!pattern.matcher(name).matches()) {
            throw new IllegalArgumentException("not a " + what + " name: " + KeyEscaper.escape(name));
        }
        return name;
    }
}
