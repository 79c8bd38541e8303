package org.azuremail.watcher.feed;

import java.util.Set;
import tools.jackson.databind.json.JsonMapper;

/**
 * A watcher's notes from turn to turn. They save calls; without them the rows of the entries decide the same.
 *
 * @param address that they are of
 * @param known the rows of the entries that the feed had last time
 * @param waiting whether entries wait for their message
 */
record FeedState(String address, String etag, String modified, Set<String> known, boolean waiting) {

    private static final JsonMapper JSON = JsonMapper.shared();

    /** Notes of another address are none. */
    static FeedState read(String stored, String address) {
        if (!stored.isEmpty()) {
            FeedState state = JSON.readValue(stored, FeedState.class);
            if (state.address.equals(address)) {
                return state;
            }
        }
        return new FeedState(address, "", "", Set.of(), true);
    }

    FeedState with(boolean nowWaiting) {
        return new FeedState(address, etag, modified, known, nowWaiting);
    }

    String stored() {
        return JSON.writeValueAsString(this);
    }
}
