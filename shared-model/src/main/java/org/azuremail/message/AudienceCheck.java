package org.azuremail.message;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.azuremail.content.MessageBodies.Problem;
import org.azuremail.list.ListName;
import org.azuremail.list.ListStore;
import org.azuremail.list.MailingList;
import org.azuremail.list.SegmentStore;
import org.jspecify.annotations.Nullable;

/** Whether a message can go to an audience: its lists are there and equally divided, and so is its segment. */
record AudienceCheck(ListStore lists, SegmentStore segments) {

    /**
     * The result of a check.
     *
     * @param lists those that are there
     * @param shards of each of the lists
     * @param attributes that subscribers of any of the lists have
     */
    record Checked(List<Problem> problems, List<MailingList> lists, int shards, Set<String> attributes) {

        /** {@code null} when none is there. */
        @Nullable
        MailingList first() {
            return lists.isEmpty() ? null : lists.get(0);
        }
    }

    Checked check(Audience audience) {
        List<MailingList> found = new ArrayList<>();
        Set<String> attributes = new TreeSet<>();
        List<Problem> problems = new ArrayList<>();
        for (ListName name : audience.lists()) {
            Optional<MailingList> list = lists.findActive(name);
            if (list.isPresent()) {
                found.add(list.get());
                attributes.addAll(list.get().attributes());
            } else {
                problems.add(unknown(name));
            }
        }
        int shards = found.isEmpty() ? MailingList.DEFAULT_SHARDS : found.get(0).shards();
        found.stream()
                .filter(list -> list.shards() != shards)
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
        return new Checked(problems, found, shards, attributes);
    }

    /**
     * Asked after a message was written that names these lists: from then on, none of them can be deleted without the message.
     *
     * @return a problem for each list that was deleted before, and whose name a new one has
     */
    List<Problem> replaced(Checked before) {
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
