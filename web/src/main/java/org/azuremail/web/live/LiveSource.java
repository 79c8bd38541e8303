package org.azuremail.web.live;

import java.util.Optional;

/** A kind of thing that pages watch. A process asks at most once in two seconds, and only while somebody watches. */
public interface LiveSource {

    /** The kind of the thing, as pages name it before the dot: letters and hyphens. */
    String topic();

    /**
     * Returns the present state of the thing. Any exception counts as <em>nothing changed</em>.
     *
     * @param id names the thing among those of this kind; any text, as it was in an address
     * @return empty when there is no such thing
     */
    Optional<LiveState> look(String id);
}
