package org.azuremail.content;

import org.springframework.util.unit.DataSize;

/** Message bodies with the default limit of the service. */
public final class BodiesInTests {

    private BodiesInTests() {}

    public static MessageBodies bodies() {
        return new MessageBodies(new ContentProperties(DataSize.ofMegabytes(5)));
    }
}
