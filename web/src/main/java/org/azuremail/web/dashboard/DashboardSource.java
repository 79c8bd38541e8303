package org.azuremail.web.dashboard;

import java.util.Optional;
import org.azuremail.attention.Underway;
import org.azuremail.web.live.LiveSource;
import org.azuremail.web.live.LiveState;
import org.springframework.stereotype.Component;

/** The messages under way, as the dashboard shows them and reports them to open pages. */
@Component
record DashboardSource(Underway underway) implements LiveSource {

    /** As pages watch it. */
    static final String NAME = "dashboard.all";

    private static final int SHOWN = 5;
    private static final int COUNTED = 3;

    Underway.Look look() {
        return underway.look(SHOWN, COUNTED);
    }

    @Override
    public String topic() {
        return NAME.substring(0, NAME.indexOf('.'));
    }

    @Override
    public Optional<LiveState> look(String id) {
        return Optional.of(new LiveState(look().version(), false));
    }
}
