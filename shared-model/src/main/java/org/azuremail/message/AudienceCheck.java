package org.azuremail.message;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.azuremail.content.MessageBodies.Problem;
import org.azuremail.list.ListName;
import org.azuremail.list.ListStore;
import org.azuremail.list.MailingList;
import org.azuremail.list.SegmentStore;

/**
 * Checks whether a message can be sent to an audience: its lists exist and have the same number of shards, and its
 * segment exists.
 */
record AudienceCheck(ListStore lists, SegmentStore segments) {

    /** @param lists the lists that exist: all of them, with one number of shards, unless there is a problem */
    record CheckedAudience(List<Problem> problems, List<MailingList> lists) {

        int shards() {
            return lists.get(0).shards();
        }

        Set<String> attributes() {
            return lists.stream()
                    .flatMap(list -> list.attributes().stream())
                    .collect(Collectors.toCollection(TreeSet::new));
        }
    }

    CheckedAudience check(Audience audience) {
        List<MailingList> found = new ArrayList<>();
        List<Problem> problems = new ArrayList<>();
        for (ListName name : audience.lists()) {
            lists.findActive(name).ifPresentOrElse(found::add, () -> problems.add(unknown(name)));
        }
        found.stream()
                .filter(list -> list.shards() != found.get(0).shards())
                .findFirst()
                .ifPresent(other -> problems.add(differ(found.get(0), other)));
        if (audience.segment() != null
                && problems.isEmpty()
                && segments.find(audience.list(), audience.segment()).isEmpty()) {
            problems.add(new Problem(
                    "segment",
                    ScheduleFault.SEGMENT_UNKNOWN,
                    audience.segment().value(),
                    audience.list().value()));
        }
        return new CheckedAudience(problems, found);
    }

    /**
     * Checks the lists again after a message that names them was written. From then on, none of them can be deleted
     * without the message.
     *
     * @return a problem for each list that was deleted before, and whose name a new list has
     */
    List<Problem> findReplacedLists(CheckedAudience before) {
        return before.lists().stream()
                .filter(list -> lists.findActive(list.name())
                        .filter(now -> !now.createdAt().equals(list.createdAt()))
                        .isPresent())
                .map(list -> unknown(list.name()))
                .toList();
    }

    private static Problem unknown(ListName name) {
        return new Problem("list", ScheduleFault.LIST_UNKNOWN, name.value());
    }

    private static Problem differ(MailingList one, MailingList other) {
        return new Problem(
                "list",
                ScheduleFault.LISTS_DIFFER,
                one.name().value(),
                one.shards(),
                other.name().value(),
                other.shards());
    }
}
