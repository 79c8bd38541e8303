package org.azuremail.copy;

import java.util.Comparator;
import org.azuremail.storage.Key;
import org.azuremail.storage.Values;

/**
 * The position of a copy. Everything before it is copied. Names are copied in alphabetical order.
 *
 * @param name the name of the table, queue or container
 * @param partition the partition of the last copied row; empty at the beginning of the name
 * @param row the row key of the last copied row, or the name of the last copied blob
 */
record Position(Stage stage, String name, String partition, String row) {

    enum Stage {
        TABLES,
        BLOBS,
        QUEUES
    }

    static final Position START = new Position(Stage.TABLES, "", "", "");

    private static final Comparator<Position> BY_NAME =
            Comparator.comparing(Position::stage).thenComparing(Position::name);

    static Position atBeginning(Stage stage, String name) {
        return new Position(stage, name, "", "");
    }

    static Position afterRow(String table, Key key) {
        return new Position(Stage.TABLES, table, key.partition(), key.row());
    }

    static Position afterBlob(String container, String blob) {
        return new Position(Stage.BLOBS, container, "", blob);
    }

    boolean isBehind(Stage otherStage, String otherName) {
        return BY_NAME.compare(this, atBeginning(otherStage, otherName)) > 0;
    }

    boolean isIn(Stage otherStage, String otherName) {
        return BY_NAME.compare(this, atBeginning(otherStage, otherName)) == 0;
    }

    void put(Values.Builder values) {
        values.put("Stage", stage.name())
                .put("Name", name)
                .put("AfterPartition", partition)
                .put("AfterRow", row);
    }

    static Position of(Values values) {
        return new Position(
                Stage.valueOf(values.requireString("Stage")),
                values.string("Name", ""),
                values.string("AfterPartition", ""),
                values.string("AfterRow", ""));
    }
}
