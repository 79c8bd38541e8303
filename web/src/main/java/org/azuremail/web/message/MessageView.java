package org.azuremail.web.message;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.azuremail.delivery.MessageControl;
import org.azuremail.delivery.archive.FigureRequests;
import org.azuremail.delivery.archive.MessageProgress;
import org.azuremail.figures.FigureStore;
import org.azuremail.figures.Figures;
import org.azuremail.message.Message;
import org.azuremail.message.MessageRef;
import org.azuremail.message.Messages;
import org.azuremail.web.live.LiveSource;
import org.azuremail.web.message.Obstacles.Obstacle;
import org.springframework.stereotype.Component;

/** The content of the page of a message, and whether it has changed. */
@Component
record MessageView(
        Messages messages,
        MessageControl control,
        Obstacles obstacles,
        FigureStore figureStore,
        FigureRequests figureRequests,
        DraftSending drafts,
        MessagePageSupport support)
        implements LiveSource {

    private static final Duration RATE_REFRESH_INTERVAL = Duration.ofSeconds(20);

    /** How long the page waits for the final figures. They follow the end within seconds if a process counts them. */
    private static final Duration FIGURES_WITHIN = Duration.ofMinutes(2);

    /**
     * The state that the page shows.
     *
     * @param figures the result of the last count; empty before the first
     */
    record PageState(
            Message message,
            MessageProgress progress,
            List<Obstacle> obstacles,
            Optional<Figures> figures,
            boolean startsSoon,
            Instant at) {

        /** Returns whether the figures include all outcomes. */
        boolean counted() {
            return progress.recipients() == 0
                    || figures.filter(one -> one.outcomes().equals(progress.counts()))
                            .isPresent();
        }

        /** Returns whether the page will not change on its own any more. */
        boolean settled() {
            Instant ended = message.completedAt();
            return ended != null && (counted() || ended.plus(FIGURES_WITHIN).isBefore(at));
        }

        /** Returns a text that is the same in all processes, unlike a hash of enums. */
        String version() {
            boolean moves = !message.paused() && progress.waiting() > 0;
            List<Object> shown = List.of(
                    message,
                    message.due(at),
                    startsSoon,
                    progress.recipients(),
                    progress.walked(),
                    progress.counts(),
                    obstacles,
                    figures.map(Figures::countedAt),
                    moves ? at.getEpochSecond() / RATE_REFRESH_INTERVAL.toSeconds() : 0);
            return Integer.toHexString(shown.toString().hashCode());
        }
    }

    PageState state(Message message) {
        MessageProgress progress = control.progress(message);
        Optional<Figures> figures = message.begun() ? figureStore.find(message.ref()) : Optional.empty();
        PageState state = new PageState(
                message, progress, obstacles.of(message, progress), figures, drafts.startsSoon(message), support.now());
        if (message.completedAt() != null && !state.counted()) {
            figureRequests.remind();
        }
        return state;
    }

    @Override
    public String topic() {
        return "message";
    }

    @Override
    public Optional<LiveSource.State> findState(String id) {
        return MessageRef.parse(id)
                .flatMap(messages::find)
                .map(this::state)
                .map(state -> new LiveSource.State(state.version(), state.settled()));
    }
}
