package org.azuremail.web.api.operations;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.azuremail.mailclass.MailClass;
import org.azuremail.operations.ClassFigures;
import org.azuremail.web.api.Items;
import org.azuremail.web.api.RefusedCall;
import org.azuremail.web.key.ApiKey;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Shows the figures of the mail classes, and suspends and resumes classes. Unknown values are {@code null}. */
@RestController
@RequestMapping("/api/v1/mail-classes")
record ClassApi(ClassFigures figures) {

    record ClassBody(
            String name,
            List<String> queues,
            long targetSeconds,
            int share,
            @Nullable HoursBody hours,
            long waiting,
            @Nullable Long oldestSeconds,
            @Nullable Long medianWaitMillis,
            @Nullable Long p95WaitMillis,
            @Nullable Double withinTarget,
            long starvedLastHour,
            long places,
            long pollsLastHour,
            long emptyPollsLastHour,
            @Nullable Instant suspendedAt,
            long closedForSeconds) {}

    record HoursBody(String from, String until, String zone) {}

    @GetMapping
    Items<ClassBody> all() {
        return Items.all(figures.all(), ClassApi::body);
    }

    /**
     * Suspends a class: in all processes, its runs end between two lots, and none begins until the class is resumed.
     */
    @PostMapping("/{name}/suspend")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void suspend(@PathVariable String name, ApiKey key) {
        requireFound(name, figures.suspend(name, key.author()));
    }

    @PostMapping("/{name}/resume")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void resume(@PathVariable String name) {
        requireFound(name, figures.resume(name));
    }

    private static void requireFound(String name, Optional<MailClass> found) {
        if (found.isEmpty()) {
            throw RefusedCall.notFound("There is no mail class " + name + ".");
        }
    }

    private static ClassBody body(ClassFigures.Figures one) {
        MailClass settings = one.mailClass();
        return new ClassBody(
                settings.name(),
                one.queues(),
                settings.target().toSeconds(),
                settings.share(),
                hours(settings),
                one.waiting(),
                one.oldest() == null ? null : one.oldest().toSeconds(),
                millis(one.median()),
                millis(one.most()),
                one.withinTarget(),
                one.starved(),
                one.places(),
                one.looks(),
                one.emptyLooks(),
                one.stop() == null ? null : one.stop().at(),
                one.closedFor().toSeconds());
    }

    private static @Nullable HoursBody hours(MailClass one) {
        return one.hours().always()
                ? null
                : new HoursBody(
                        one.hours().from().toString(),
                        one.hours().until().toString(),
                        one.hours().zone().getId());
    }

    private static @Nullable Long millis(@Nullable Duration wait) {
        return wait == null ? null : wait.toMillis();
    }
}
