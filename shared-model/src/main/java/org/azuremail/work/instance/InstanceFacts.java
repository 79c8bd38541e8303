package org.azuremail.work.instance;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The facts of a part of this process, mostly its totals since the start. Every bean of this type is asked at each
 * heartbeat. Its answer is in the instance's row for all processes to read, up to {@link Instances#HEARTBEAT} late.
 */
public interface InstanceFacts {

    /**
     * Returns facts by name. If two beans use the same name, either value may be stored. All facts of an instance
     * together take at most {@link Instances#MAX_FACTS} characters as JSON; the facts of a bean that would exceed this
     * are left out. If this method throws, only this bean's facts are missing from the heartbeat.
     */
    Map<String, String> facts();

    /**
     * Returns a text that changes when other processes should learn of a change within a minute, or {@code null} if the
     * next heartbeat is soon enough.
     */
    default @Nullable String urgent() {
        return null;
    }
}
