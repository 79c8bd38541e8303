package org.azuremail.web.live;

import java.util.regex.Pattern;

/**
 * The state of a watched thing.
 *
 * @param version differs exactly when the page has something else to show; letters, digits, dots and hyphens
 * @param over whether it will never change again
 */
public record LiveState(String version, boolean over) {

    private static final Pattern VERSION = Pattern.compile("[\\w.:-]{1,100}");

    public LiveState {
        if (!VERSION.matcher(version).matches()) {
            throw new IllegalArgumentException("not a version: " + version);
        }
    }
}
