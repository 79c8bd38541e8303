package org.azuremail.web.message;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.azuremail.delivery.archive.MessageProgress;
import org.azuremail.figures.Figures;
import org.azuremail.message.MessageRef;
import org.azuremail.web.layout.Moments;
import org.azuremail.web.plot.LinePlot;
import org.azuremail.web.plot.StackedBar;

/** A message's numbers as pictures. */
final class FigureShapes {

    /** Fewer steps are told by a number. */
    private static final int FEWEST_POINTS = 3;

    private static final long MINUTE = 60;

    private FigureShapes() {}

    static StackedBar outcomes(MessageRef ref, MessageProgress progress) {
        return StackedBar.of(
                progress.recipients(),
                List.of(
                        share(ref, "sent", progress.counts().sent()),
                        share(ref, "failed", progress.counts().failed()),
                        share(ref, "unknown", progress.counts().unknown()),
                        share(ref, "skipped", progress.counts().skipped()),
                        share(ref, "waiting", progress.waiting())));
    }

    private static StackedBar.Share share(MessageRef ref, String code, long value) {
        return new StackedBar.Share(
                code, value, value == 0 ? null : "/messages/" + ref + "/recipients?outcome=" + code);
    }

    /** Emails a minute, over time; empty when it was over at once. */
    static Optional<LinePlot> rate(Figures.Rate rate, Moments moments) {
        if (rate.emails().size() < FEWEST_POINTS) {
            return Optional.empty();
        }
        List<LinePlot.Point> points = new ArrayList<>();
        for (int i = 0; i < rate.emails().size(); i++) {
            long perMinute = rate.emails().get(i) * MINUTE / rate.step().toSeconds();
            Instant at = rate.begin().plus(rate.step().multipliedBy(i));
            points.add(new LinePlot.Point(moments.show(at), perMinute));
        }
        return Optional.of(LinePlot.of("rate", points));
    }
}
