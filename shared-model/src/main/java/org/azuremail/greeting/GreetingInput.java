package org.azuremail.greeting;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.azuremail.content.MessageBodies.Problem;
import org.azuremail.field.Field;
import org.azuremail.field.FieldStore;
import org.azuremail.field.FieldType;
import org.azuremail.id.AsciiWord;
import org.azuremail.list.ListName;
import org.azuremail.list.ListStore;
import org.azuremail.list.MailingList;
import org.azuremail.message.Message;
import org.azuremail.message.MessageRef;
import org.azuremail.message.Messages;
import org.azuremail.message.Occasion;
import org.azuremail.reason.Reason;
import org.jspecify.annotations.Nullable;

/**
 * A greeting as typed on a page or sent to the API.
 *
 * @param occasion {@code birthday}, {@code welcome}, {@code anniversary} or {@code after-joining}
 * @param field the field of a birthday; ignored for other occasions
 * @param days the number of days after joining; ignored for other occasions
 * @param time such as {@code 09:00}
 * @param message the message with the text to send
 */
public record GreetingInput(
        @Nullable String name,
        @Nullable String list,
        @Nullable String occasion,
        @Nullable String field,
        @Nullable String days,
        @Nullable String time,
        @Nullable String message) {

    public static GreetingInput of(Greeting greeting) {
        return new GreetingInput(
                greeting.name(),
                greeting.list().value(),
                AsciiWord.of(greeting.kind()),
                greeting.field(),
                greeting.days() == 0 ? "" : Integer.toString(greeting.days()),
                greeting.time().toString(),
                greeting.text().toString());
    }

    public GreetingInput withList(ListName fixed) {
        return new GreetingInput(name, fixed.value(), occasion, field, days, time, message);
    }

    public static List<Field> birthdays(FieldStore fields, MailingList list) {
        return fields.of(list).customFields().stream()
                .filter(GreetingInput::holdsBirthdays)
                .toList();
    }

    public static boolean holdsBirthdays(Field field) {
        return field.type() == FieldType.MONTH_DAY || field.type() == FieldType.DATE;
    }

    /** Reads a greeting and reports all problems at once. */
    public record GreetingParser(ListStore lists, FieldStore fields, Messages messages, Greetings greetings) {

        public Optional<Greeting> read(GreetingInput input, String id, Instant now, String by, List<Problem> problems) {
            List<Problem> wrong = new ArrayList<>();
            String name = input.name() == null ? "" : input.name().strip();
            require(!name.isEmpty() && MailingList.isLine(name), wrong, "name", GreetingReason.GREETING_NAME);
            Optional<MailingList> list = ListName.parse(strip(input.list())).flatMap(lists::findActive);
            require(list.isPresent(), wrong, "list", GreetingReason.GREETING_LIST);
            Optional<Occasion.Kind> kind = Stream.of(Occasion.Kind.values())
                    .filter(one -> AsciiWord.of(one).equals(strip(input.occasion())))
                    .findFirst();
            require(kind.isPresent(), wrong, "occasion", GreetingReason.GREETING_OCCASION);
            boolean birthday = kind.equals(Optional.of(Occasion.Kind.BIRTHDAY));
            String field = birthday ? strip(input.field()) : "";
            boolean known = !birthday
                    || list.isEmpty()
                    || birthdays(fields, list.get()).stream()
                            .anyMatch(one -> one.name().equals(field));
            require(known, wrong, "field", GreetingReason.GREETING_FIELD);
            boolean after = kind.equals(Optional.of(Occasion.Kind.AFTER_JOINING));
            int days = after ? number(input.days()) : 0;
            boolean inRange = !after || (days >= 1 && days <= Greeting.MAX_DAYS);
            require(inRange, wrong, "days", GreetingReason.GREETING_DAYS, 1, Greeting.MAX_DAYS);
            Optional<LocalTime> time = time(strip(input.time()));
            require(time.isPresent(), wrong, "time", GreetingReason.GREETING_TIME);
            Optional<Message> text = MessageRef.parse(strip(input.message())).flatMap(messages::find);
            require(text.isPresent(), wrong, "message", GreetingReason.GREETING_TEXT);
            list.map(MailingList::name)
                    .filter(its -> text.isPresent() && !text.get().lists().equals(List.of(its)))
                    .ifPresent(its -> wrong.add(new Problem("message", GreetingReason.GREETING_TEXT_LIST, its)));
            problems.addAll(wrong);
            return wrong.isEmpty()
                    ? Optional.of(new Greeting(
                            id,
                            list.orElseThrow().name(),
                            name,
                            kind.orElseThrow(),
                            field,
                            days,
                            time.orElseThrow(),
                            text.orElseThrow().ref(),
                            false,
                            greetings.firstDay(time.orElseThrow()),
                            now,
                            now,
                            by))
                    : Optional.empty();
        }

        private static void require(
                boolean right, List<Problem> wrong, String field, GreetingReason code, Object... values) {
            if (!right) {
                wrong.add(new Problem(field, code, values));
            }
        }
    }

    private static String strip(@Nullable String text) {
        return text == null ? "" : text.strip();
    }

    private static int number(@Nullable String text) {
        String number = AsciiWord.digits(strip(text));
        return number.matches("[0-9]{1,5}") ? Integer.parseInt(number) : -1;
    }

    private static Optional<LocalTime> time(String text) {
        try {
            return Optional.of(LocalTime.parse(text).withSecond(0).withNano(0));
        } catch (DateTimeException none) {
            return Optional.empty();
        }
    }

    public enum GreetingReason implements Reason.Code {
        GREETING_NAME,
        GREETING_LIST,
        GREETING_OCCASION,
        /** The field must be one of the list, with a month and day or a date. */
        GREETING_FIELD,
        /** The parameters are the least and the most days. */
        GREETING_DAYS,
        GREETING_TIME,
        GREETING_TEXT,
        /** The parameter is the list, for which the message is not meant. */
        GREETING_TEXT_LIST,
        /** The parameter is the name of a greeting that sends the message, which is a draft. */
        GREETING_SENDS,
        GREETING_MOST
    }
}
