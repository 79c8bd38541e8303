package org.azuremail.web.live;

import java.util.Optional;
import java.util.regex.Pattern;

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
    Optional<State> findState(String id);

    /**
     * The state of a watched thing.
     *
     * @param version differs exactly when the page has something else to show; letters, digits, dots and hyphens
     * @param over whether it will never change again
     */
    record State(String version, boolean over) {

        private static final Pattern VERSION = Pattern.compile("[\\w.:-]{1,100}");

        public State {
            if (!VERSION.matcher(version).matches()) {
                throw new IllegalArgumentException("not a version: " + version);
            }
        }
    }
}
