package org.azuremail.copy;

import java.util.Optional;
import org.azuremail.copy.Arrival.State;
import org.azuremail.copy.CopyState.Found;
import org.jspecify.annotations.Nullable;

/** The objections to a copy that the marks of earlier copies raise. */
record MarkChecks(CopyEnd source, CopyEnd target) {

    Optional<String> refusal(Found here, Found there) {
        if (source.name().equals(target.name())) {
            return Optional.of("both are " + source.name());
        }
        Arrival came = here.arrival() == null ? null : here.arrival().value();
        if (came != null && came.state() != State.FINISHED) {
            return Optional.of(source.name() + " is an unfinished copy of " + came.source() + " itself");
        }
        Departure departure = here.departure() == null ? null : here.departure().value();
        if (departure != null && departure.finished()) {
            return Optional.of(MovedStorageException.moved(departure) + ". " + MovedStorageException.wayBack());
        }
        if (departure != null && !departure.target().equals(target.name())) {
            return Optional.of(source.name() + " is being copied to " + departure.target()
                    + ": go on with that, or give it up by naming it with --abandon");
        }
        Arrival arrival = there.arrival() == null ? null : there.arrival().value();
        return arrival == null || isGoingOn(departure, arrival)
                ? Optional.empty()
                : Optional.of(target.name() + occupied(arrival));
    }

    private static boolean isGoingOn(@Nullable Departure departure, Arrival arrival) {
        return departure != null && departure.copy().equals(arrival.copy()) && arrival.state() == State.COPYING;
    }

    private static String occupied(Arrival arrival) {
        return switch (arrival.state()) {
            case FINISHED -> " is not empty: everything of " + arrival.source() + " was copied to it";
            case COPYING -> " holds an unfinished copy of " + arrival.source() + ": finish that, or empty it first";
            case ABANDONED -> " holds a copy of " + arrival.source() + " that was given up: empty it first";
        };
    }
}
