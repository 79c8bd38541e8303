package org.azuremail.greeting;

import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.Optional;
import org.azuremail.list.ListName;
import org.azuremail.list.MailingList;
import org.azuremail.message.MessageRef;
import org.azuremail.message.Occasion;
import org.azuremail.storage.Values;
import org.jspecify.annotations.Nullable;
import org.springframework.util.Assert;

/**
 * An email to each person of a list on a personal day, such as a birthday.
 *
 * @param id letters and digits
 * @param name for admins; one line
 * @param field the field with the birthday; empty for other kinds
 * @param days the number of days after joining; 0 for other kinds
 * @param time the time of the day at which it is sent, in the time zone of the installation
 * @param text the message whose subject and bodies it sends, as they are on the day
 * @param since the first day of the greeting; it is not sent for earlier days
 * @param begunAt when it was created or last resumed; {@code null} if an older version did that, or since a restore
 */
public record Greeting(
        String id,
        ListName list,
        String name,
        Occasion.Kind kind,
        String field,
        int days,
        LocalTime time,
        MessageRef text,
        boolean paused,
        LocalDate since,
        @Nullable Instant begunAt,
        Instant createdAt,
        String createdBy) {

    public static final int MAX_DAYS = 3650;

    /** The number of days that a normal run reaches back, for subscribers who are added late. */
    static final int CATCH_UP_DAYS = 2;

    /** The number of days that a run reaches back after an outage. */
    static final int MAX_CATCH_UP_DAYS = 30;

    public Greeting {
        Assert.isTrue(!name.isBlank() && MailingList.isLine(name), "a greeting's name is one line");
        boolean birthday = kind == Occasion.Kind.BIRTHDAY;
        boolean after = kind == Occasion.Kind.AFTER_JOINING;
        Assert.isTrue(
                birthday != field.isEmpty() && after == (days > 0) && days <= MAX_DAYS,
                "a birthday has a field, and only days after joining have a number");
    }

    public Greeting edited(Greeting other) {
        return new Greeting(
                id,
                list,
                other.name,
                other.kind,
                other.field,
                other.days,
                other.time,
                other.text,
                paused,
                since,
                begunAt,
                createdAt,
                createdBy);
    }

    public Greeting asPaused() {
        return with(true, since, begunAt);
    }

    /** Returns this greeting after a pause; nobody is greeted for a day of the pause. */
    public Greeting resumed(LocalDate today, Instant now) {
        return paused ? with(false, today, now) : this;
    }

    /** Returns this greeting, not sent for days before this one. */
    Greeting notBefore(LocalDate first) {
        return first.isAfter(since) ? with(paused, first, null) : this;
    }

    private Greeting with(boolean pause, LocalDate first, @Nullable Instant begun) {
        return new Greeting(id, list, name, kind, field, days, time, text, pause, first, begun, createdAt, createdBy);
    }

    /**
     * Returns the instant since when people are welcomed if that is on the day before {@link #since}, because the time
     * of that day was over. The run of the first day reaches back to it.
     */
    Optional<Instant> welcomeSince(ZoneId zone) {
        return Optional.ofNullable(begunAt)
                .filter(begun -> kind == Occasion.Kind.WELCOME
                        && LocalDate.ofInstant(begun, zone).plusDays(1).equals(since));
    }

    LocalDate lastDue(Instant now, ZoneId zone) {
        LocalDate today = LocalDate.ofInstant(now, zone);
        return at(today, zone).isAfter(now) ? today.minusDays(1) : today;
    }

    /** Returns the instant at which it is sent on a day; later if daylight saving skips the time. */
    public Instant at(LocalDate day, ZoneId zone) {
        return day.atTime(time).atZone(zone).toInstant();
    }

    static Greeting of(String id, Values v) {
        return new Greeting(
                id,
                new ListName(v.requireString("ListName")),
                v.requireString("Name"),
                Occasion.Kind.valueOf(v.requireString("Kind")),
                v.string("Field", ""),
                v.integer("Days", 0),
                LocalTime.parse(v.requireString("Time")),
                new MessageRef(v.requireNumber("Text")),
                v.bool("Paused", false),
                LocalDate.parse(v.requireString("Since")),
                v.instant("BegunAt"),
                v.requireInstant("CreatedAt"),
                v.string("CreatedBy", ""));
    }

    Values values() {
        return Values.builder()
                .put("ListName", list.value())
                .put("Name", name)
                .put("Kind", kind.name())
                .put("Field", field)
                .put("Days", days)
                .put("Time", time.toString())
                .put("Text", text.value())
                .put("Paused", paused)
                .put("Since", since.toString())
                .put("BegunAt", begunAt)
                .put("CreatedAt", createdAt)
                .put("CreatedBy", createdBy)
                .build();
    }
}
