package org.azuremail.web.message;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.azuremail.content.ContentBlocks;
import org.azuremail.content.MessageBodies;
import org.azuremail.gallery.Gallery;
import org.azuremail.gallery.Gallery.MessageTemplate;
import org.azuremail.list.ListName;
import org.azuremail.list.MailingList;
import org.azuremail.list.Segment;
import org.azuremail.message.Audience;
import org.azuremail.message.Message;
import org.azuremail.message.MessageRef;
import org.azuremail.message.Schedule;
import org.azuremail.segment.Segments;
import org.azuremail.storage.Versioned;
import org.azuremail.web.layout.FormErrors;
import org.azuremail.web.layout.Moments;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import org.springframework.ui.Model;
import org.springframework.validation.BeanPropertyBindingResult;

/** Fills the model for the form of each step in which a message is written. */
@Component
record ComposerView(
        MessagePageSupport support, Preview preview, Segments segments, AudiencePeople people, Gallery gallery) {

    /**
     * The message that a step shows.
     *
     * @param message the stored message; {@code null} if it has not been stored yet
     * @param unsaved whether the form shows something that is not stored
     */
    record ComposerContext(MessageRef ref, @Nullable Message message, String etag, boolean unsaved) {

        static ComposerContext of(Versioned<Message> stored) {
            return new ComposerContext(stored.value().ref(), stored.value(), stored.etag(), false);
        }
    }

    String content(ComposerContext context, MessageForm form, Reader reader, Model model) {
        // The posted form is in the model already, with its faults.
        model.asMap().putIfAbsent("form", form);
        Optional<MailingList> list = form.listName()
                .or(() -> Optional.ofNullable(context.message()).map(Message::list))
                .flatMap(support.lists()::findActive);
        steps(context, model);
        preview.show(context.message(), reader, model);
        // After a button of the block editor, the blocks are in the model already.
        model.asMap()
                .computeIfAbsent("blocks", name -> BlockFields.of(ContentBlocks.of(FormErrors.text(form.markdown()))));
        model.addAttribute("chosen", list.orElse(null));
        model.addAttribute("fields", fields(list));
        boolean listOpen = context.message() == null || context.message().editable();
        List<MailingList> lists = listOpen ? support.lists().active() : List.of();
        model.addAttribute("lists", lists);
        form.audience()
                .filter(audience ->
                        lists.stream().noneMatch(one -> one.name().value().equals(audience.stored())))
                .ifPresent(other -> model.addAttribute("otherAudience", support.audience(other)));
        if (context.message() != null && list.isPresent()) {
            Audience audience = form.audience().orElse(context.message().audience());
            preview.check(audience, list.get(), form, reader, null, model);
        }
        List<MessageTemplate> templates =
                gallery.offered(list.map(MailingList::name).orElse(null));
        model.addAttribute("templates", templates);
        // A deleted template remains chosen, so that saving reports it instead of choosing another one silently.
        model.addAttribute(
                "offered", templates.stream().map(MessageTemplate::name).toList());
        return "message/content";
    }

    private static SortedSet<String> fields(Optional<MailingList> list) {
        SortedSet<String> fields = new TreeSet<>(MessageBodies.BUILT_IN_FIELDS);
        list.ifPresent(known -> fields.addAll(known.attributes()));
        return fields;
    }

    String recipients(ComposerContext context, MessageForm form, Model model) {
        // The posted form is in the model already, with its faults.
        model.asMap().putIfAbsent("form", form);
        choices(form, model);
        form.audience().ifPresent(audience -> model.addAttribute("people", people.of(audience)));
        steps(context, model);
        model.addAttribute("zones", zones(form));
        model.addAttribute("classes", support.classes().all());
        model.addAttribute("classByPlan", planClass(form));
        unknownClass(form).ifPresent(label -> model.addAttribute("unknownClass", label));
        schedule(context, form).ifPresent(schedule -> time(form, schedule, model));
        return "message/when";
    }

    /** Returns the zones to choose from. A zone from a setting or a call may be none that the page offers. */
    private static List<String> zones(MessageForm form) {
        String chosen = FormErrors.text(form.zone());
        return chosen.isEmpty() || MessagePageSupport.ZONES.contains(chosen)
                ? MessagePageSupport.ZONES
                : Stream.concat(Stream.of(chosen), MessagePageSupport.ZONES.stream())
                        .toList();
    }

    /** Returns the schedule that the form shows; empty if it cannot be read. */
    private Optional<Schedule> schedule(ComposerContext context, MessageForm form) {
        return context.unsaved()
                ? form.schedule(support.settings().zone(), support.now(), new BeanPropertyBindingResult(form, "form"))
                : Optional.ofNullable(context.message()).map(Message::schedule);
    }

    /** Returns the class that the plan of the chosen list decides; {@code null} without a list. */
    @Nullable
    String planClass(MessageForm form) {
        return form.listName().map(support::classByPlan).orElse(null);
    }

    /** Adds the lists and segments to choose from. A deleted one remains chosen, so that saving reports it. */
    private void choices(MessageForm form, Model model) {
        List<MailingList> lists = support.lists().active();
        Map<ListName, List<Segment>> parts = new HashMap<>();
        Set<String> offered = new HashSet<>();
        for (MailingList list : lists) {
            List<Segment> ofList =
                    segments.all(list.name()).stream().map(Versioned::value).toList();
            parts.put(list.name(), ofList);
            offered.add(list.name().value());
            ofList.forEach(part -> offered.add(list.name() + "/" + part.name()));
        }
        model.addAttribute("lists", lists);
        model.addAttribute("segments", parts);
        String chosen = FormErrors.text(form.list());
        if (!chosen.isEmpty() && !offered.contains(chosen)) {
            model.addAttribute("unavailable", chosen);
        }
    }

    private void steps(ComposerContext context, Model model) {
        Message message = context.message();
        model.addAttribute("place", context);
        model.addAttribute("draft", message == null || support.draft(message));
        model.addAttribute("going", message != null && !message.editable());
    }

    Optional<String> unknownClass(MessageForm form) {
        return form.mailClassChoice()
                .filter(label -> support.classes().find(label).isEmpty());
    }

    static void time(MessageForm form, Schedule schedule, Model model) {
        model.addAttribute("due", "later".equals(form.when()) ? schedule.due() : null);
        model.addAttribute(
                "skippedTime",
                form.skippedTime(schedule.zone()).map(Moments::local).orElse(null));
        model.addAttribute("instead", Moments.local(schedule.local()));
    }
}
