package org.azuremail.linkcheck;

import java.net.URI;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.azuremail.app.Daemons;
import org.azuremail.content.ContentLink;
import org.azuremail.linkcheck.LinkFinding.Finding;
import org.azuremail.linkcheck.LinkReport.Checked;
import org.azuremail.linkcheck.LinkReport.Refusal;
import org.azuremail.time.Time;

/**
 * Checks the links and images of a message for an admin who waits. A check ends within {@link #MAX_DURATION}, and
 * requests few links. So that nobody can attack others with it, an admin has one check at a time and few in a while,
 * and the process runs few at a time. Safe for use from many threads.
 */
public final class LinkChecks {

    static final int MAX_LINKS = 50;
    static final int MAX_CHECKS = 10;
    static final Duration PERIOD = Duration.ofMinutes(10);
    static final Duration MAX_DURATION = Duration.ofSeconds(20);
    static final int AT_A_TIME = 4;
    private static final int THREADS = 8;
    private static final String FIELD = "{{";

    private final LinkRequests requests;
    private final Duration whole;
    private final Time time;
    private final Semaphore places = new Semaphore(AT_A_TIME);
    private final Set<String> running = ConcurrentHashMap.newKeySet();
    private final Map<String, Deque<Duration>> started = new ConcurrentHashMap<>();

    /** @param whole the time limit of a check */
    LinkChecks(LinkRequests requests, Duration whole, Time time) {
        this.requests = requests;
        this.whole = whole;
        this.time = time;
    }

    /** The links of a message: those to request, those that are not requested, and the number of all others. */
    private record Selection(Map<URI, ContentLink> wanted, List<Checked> decided, int more) {}

    /** Checks the links of a document, in which merge fields have no values yet. */
    public LinkReport check(String admin, String html) {
        Selection selection = select(ContentLink.of(html));
        if (selection.wanted().isEmpty()) {
            return LinkReport.of(selection.decided(), selection.more());
        }
        if (!running.add(admin)) {
            return LinkReport.refused(Refusal.LINKS_RUNNING);
        }
        try {
            if (!places.tryAcquire()) {
                return LinkReport.refused(Refusal.LINKS_BUSY);
            }
            try {
                return begin(admin)
                        ? request(selection)
                        : LinkReport.refused(Refusal.LINKS_TOO_OFTEN, MAX_CHECKS, PERIOD.toMinutes());
            } finally {
                places.release();
            }
        } finally {
            running.remove(admin);
        }
    }

    /** Counts a check of an admin, who has no other check at the moment; false if there were too many. */
    private boolean begin(String admin) {
        Duration now = time.elapsed();
        Deque<Duration> before = started.computeIfAbsent(admin, name -> new ArrayDeque<>());
        before.removeIf(start -> start.plus(PERIOD).compareTo(now) <= 0);
        return before.size() < MAX_CHECKS && before.add(now);
    }

    private static Selection select(List<ContentLink> links) {
        Map<String, ContentLink> distinct = new LinkedHashMap<>();
        links.stream()
                .filter(link ->
                        LinkAddress.isHttp(link.address()) || link.address().startsWith(FIELD))
                .forEach(link -> distinct.putIfAbsent(link.address(), link));
        Map<URI, ContentLink> wanted = new LinkedHashMap<>();
        List<Checked> decided = new ArrayList<>();
        int more = 0;
        for (ContentLink link : distinct.values()) {
            Optional<Finding> finding = unrequested(link.address());
            Optional<URI> address = finding.isPresent() ? Optional.empty() : LinkAddress.parse(link.address());
            if (address.isPresent()) {
                if (wanted.size() < MAX_LINKS) {
                    wanted.putIfAbsent(address.get(), link);
                } else if (!wanted.containsKey(address.get())) {
                    more++;
                }
            } else if (decided.size() < MAX_LINKS) {
                decided.add(new Checked(link, finding.orElseGet(LinkFinding.LINK_INVALID::of)));
            } else {
                more++;
            }
        }
        return new Selection(wanted, decided, more);
    }

    private static Optional<Finding> unrequested(String address) {
        if (address.contains(FIELD)) {
            return Optional.of(LinkFinding.LINK_WITH_FIELD.of());
        }
        return address.length() > LinkAddress.MAX_LENGTH
                ? Optional.of(LinkFinding.LINK_LONG.of(LinkAddress.MAX_LENGTH))
                : Optional.empty();
    }

    private LinkReport request(Selection selection) {
        List<Checked> found = new ArrayList<>(selection.decided());
        List<ContentLink> wanted = List.copyOf(selection.wanted().values());
        ExecutorService threads = Executors.newFixedThreadPool(THREADS, Daemons.named("link-check"));
        try {
            List<Future<Finding>> answers = threads.invokeAll(
                    selection.wanted().keySet().stream()
                            .<Callable<Finding>>map(address -> () -> requests.check(address))
                            .toList(),
                    whole.toMillis(),
                    TimeUnit.MILLISECONDS);
            for (int i = 0; i < wanted.size(); i++) {
                found.add(new Checked(wanted.get(i), finding(answers.get(i))));
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        } finally {
            threads.shutdownNow();
        }
        return LinkReport.of(found, selection.more());
    }

    private static Finding finding(Future<Finding> answer) throws InterruptedException {
        try {
            return answer.get();
        } catch (CancellationException late) {
            return LinkFinding.LINK_NO_TIME.of();
        } catch (ExecutionException unexpected) {
            return LinkFinding.LINK_UNREACHABLE.of(String.valueOf(unexpected.getCause()));
        }
    }
}
