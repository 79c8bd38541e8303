package org.azuremail.web.message;

import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.azuremail.app.AzureMailProperties;
import org.azuremail.list.ListName;
import org.azuremail.list.ListStore;
import org.azuremail.list.MailingList;
import org.azuremail.list.SegmentName;
import org.azuremail.list.SegmentStore;
import org.azuremail.mail.MailProperties;
import org.azuremail.mailclass.MailClasses;
import org.azuremail.message.Audience;
import org.azuremail.message.Message;
import org.azuremail.message.MessageRef;
import org.azuremail.message.Messages;
import org.azuremail.time.Time;
import org.azuremail.web.layout.Moments;
import org.azuremail.web.layout.PageNotFoundException;
import org.azuremail.web.layout.Question;
import org.jspecify.annotations.Nullable;
import org.springframework.context.support.MessageSourceAccessor;
import org.springframework.stereotype.Component;
import org.springframework.ui.Model;

/** The parts that the pages of messages share. */
@Component
record MessagePageSupport(
        Messages messages,
        ListStore lists,
        SegmentStore segments,
        AzureMailProperties settings,
        MailProperties mail,
        MailClasses classes,
        MessageSourceAccessor texts,
        Time time) {

    static final List<String> ZONES = ZoneId.getAvailableZoneIds().stream()
            .filter(id -> id.equals("UTC") || (id.matches("[A-Z][a-z]+/.+") && !id.startsWith("Etc/")))
            .sorted()
            .toList();

    Message require(MessageRef ref) {
        return messages.find(ref).orElseThrow(() -> new PageNotFoundException("no-message", ref.toString()));
    }

    String audience(Audience audience) {
        return audience(audience, this::named);
    }

    List<String> audiences(List<Message> messages) {
        Map<ListName, String> names =
                lists.active().stream().collect(Collectors.toMap(MailingList::name, MailingList::title));
        return messages.stream()
                .map(message -> audience(message.audience(), name -> names.getOrDefault(name, name.value())))
                .toList();
    }

    private String audience(Audience audience, Function<ListName, String> named) {
        String names = audience.lists().stream().map(named).collect(Collectors.joining(", "));
        String segment = segmentName(audience);
        return segment == null ? names : text("message.list-segment", names, segment);
    }

    String named(ListName list) {
        return lists.findActive(list).map(MailingList::title).orElse(list.value());
    }

    /** Returns the name of the segment of an audience as pages show it; {@code null} without a segment. */
    @Nullable
    String segmentName(Audience audience) {
        SegmentName segment = audience.segment();
        return segment == null
                ? null
                : segments.find(audience.list(), segment)
                        .map(found -> found.value().title())
                        .orElse(segment.value());
    }

    String mailClass(Message message) {
        return message.mailClass() == null ? classByPlan(message.list()) : message.mailClass();
    }

    String classByPlan(ListName list) {
        return lists.findActive(list)
                .map(found -> text(
                        "message.class.from-plan", classes.forPlan(found.plan()).name()))
                .orElseGet(() -> text("message.class.by-plan"));
    }

    private String text(String code, Object... values) {
        return texts.getMessage(code, values);
    }

    Instant now() {
        return time.instant();
    }

    /** Returns the moments for texts that a class builds, and not a template. */
    Moments moments() {
        return new Moments(settings.zone(), now(), texts);
    }

    /**
     * Returns whether the message has yet to be sent or scheduled. Drafts of old versions have no mark: they are due
     * and paused.
     */
    boolean draft(Message message) {
        boolean unmarked = message.state().pauseReason().none() && message.due(now());
        return message.editable() && message.paused() && (message.state().draft() || unmarked);
    }

    /** Returns whether the message is a draft without a date to wait for, so that its date means nothing. */
    boolean undated(Message message) {
        return draft(message) && message.due(now());
    }

    /** Returns the question before an action on a message, which is posted to this address. */
    Question question(String code, Message message, String action) {
        String page = "/messages/" + message.ref();
        return new Question(code, page + action, page)
                .showing("subject", message.subject())
                .showing("list", audience(message.audience()));
    }

    /**
     * Shows why a message was left unchanged.
     *
     * @param reason the key of a sentence
     */
    String refused(Message message, String reason, Model model) {
        model.addAttribute("message", message);
        model.addAttribute("draft", draft(message));
        model.addAttribute("reason", reason);
        return "message/refused";
    }
}
