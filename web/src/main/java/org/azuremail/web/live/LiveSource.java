package org.azuremail.web.live;

import java.util.Optional;

/** Something that pages watch. Asked by one process at most once in two seconds, and only while somebody watches. */
public interface LiveSource {

    /** The kind of the thing, as pages name it before the dot: letters and hyphens. */
    String topic();

    /**
     * Returns the present state of the thing. Any exception counts as <em>nothing changed</em>.
     *
     * @param id names the thing among those of this kind; whatever stood in an address
     * @return empty when there is no such thing
     */
    Optional<LiveState> look(String id);
}
