package org.azuremail.web.live;

import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A kind of thing that pages watch. By default, a process polls a thing at most once in two seconds, and only while a
 * page watches it.
 */
public interface LiveSource {

    /** Returns the kind of the thing as pages name it before the dot: letters and hyphens. */
    String topic();

    /**
     * Returns the present state of the thing. Any exception counts as <em>nothing changed</em>.
     *
     * @param id the thing among those of this kind; any text, as it was in an address
     * @return empty when the thing does not exist
     */
    Optional<State> findState(String id);

    /**
     * The state of a watched thing.
     *
     * @param version a text that differs exactly when the page has something else to show; letters, digits, dots and
     *     hyphens
     * @param over whether the state will never change again
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
