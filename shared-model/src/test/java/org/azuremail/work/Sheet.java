package org.azuremail.work;

/** An item for tests. */
record Sheet(String text) {

    static final ItemType<Sheet> TYPE = ItemType.json("sheets", Sheet.class);
}
