package org.azuremail.work.instance;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The facts of a part of this process: its totals since the start, mostly. Every bean of this type is asked at each
 * heartbeat, and what it says is in the instance's row for everybody to read, up to {@link Instances#HEARTBEAT} late.
 */
public interface InstanceFacts {

    /**
     * Facts by name; of two beans that use one name either wins. All facts of an instance together are at most {@link
     * Instances#MAX_FACTS} characters as JSON; of a bean that would go beyond, none are kept. A throw costs this bean's facts
     * of one heartbeat and nothing else.
     */
    Map<String, String> facts();

    /** Another text once others should hear of a change within a minute; {@code null} where the next heartbeat is soon enough. */
    default @Nullable String urgent() {
        return null;
    }
}
