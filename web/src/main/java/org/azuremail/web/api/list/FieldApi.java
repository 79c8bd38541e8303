package org.azuremail.web.api.list;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.azuremail.field.Field;
import org.azuremail.field.FieldStore;
import org.azuremail.field.FieldType;
import org.azuremail.field.ListFields;
import org.azuremail.list.MailingList;
import org.azuremail.storage.ConditionalWrites;
import org.azuremail.storage.Versioned;
import org.azuremail.subscription.index.FieldIndex;
import org.azuremail.subscription.index.IndexState;
import org.azuremail.subscription.index.MisfitCounter;
import org.azuremail.time.Time;
import org.azuremail.web.api.Idempotency;
import org.azuremail.web.api.Items;
import org.azuremail.web.api.ProblemCode;
import org.azuremail.web.api.RefusedCall;
import org.azuremail.web.api.RequestFields;
import org.azuremail.web.field.FieldUses;
import org.azuremail.web.key.ApiKey;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

@RestController
@RequestMapping("/api/v1/lists/{list}/fields")
record FieldApi(FieldStore store, FieldIndex index, FieldUses uses, Time time) {

    /**
     * The largest list, in subscribers, whose values are counted again for each call. The count of a larger list is
     * reused for {@link #COUNT_HOLDS}.
     */
    private static final int COUNTED_AT_ONCE = 5000;

    private static final Duration COUNT_HOLDS = Duration.ofMinutes(10);

    /** The requested settings of a field; by default, a text field labelled with its name. */
    record WantedField(
            @Nullable String label,
            @Nullable String type,
            @JsonSetter(contentNulls = Nulls.FAIL) @Nullable List<String> options,
            @Nullable Boolean searchable,
            @Nullable Boolean changeable) {}

    /** @param indexedAt since when searches find the field's values; {@code null} while they do not */
    record FieldBody(
            String name,
            String label,
            String type,
            List<String> options,
            boolean searchable,
            boolean changeable,
            @Nullable Instant indexedAt) {}

    @GetMapping
    Items<FieldBody> all(MailingList list) {
        IndexState state = index.state(list.name());
        return Items.all(store.of(list).fields(), field -> body(field, state));
    }

    /**
     * Adds or changes a field. With {@code unfit=keep}, values that do not fit the new type stay, but searches do not
     * find them.
     */
    @PutMapping("/{name}")
    FieldBody put(
            @PathVariable String name,
            @RequestParam @Nullable String unfit,
            @RequestParam @Nullable String used,
            @RequestBody WantedField wanted,
            MailingList list) {
        Field field = read(name, wanted);
        if (!keeps("used", used)) {
            requireUnused(list, name, store.of(list).with(field));
        }
        if (!keeps("unfit", unfit)) {
            requireFit(list, field);
        }
        save(list, present -> Optional.of(present.with(field)));
        return body(field, index.state(list.name()));
    }

    private static boolean keeps(String parameter, @Nullable String value) {
        RequestFields fields = new RequestFields();
        boolean keeps = fields.optional(
                        parameter,
                        value,
                        word -> Optional.of(word).filter("keep"::equals),
                        "Use keep, or leave it out.")
                .isPresent();
        fields.check();
        return keeps;
    }

    private void requireUnused(MailingList list, String field, ListFields changed) {
        Map<String, String> broken = uses.brokenBy(list.name(), field, changed);
        if (!broken.isEmpty()) {
            throw new RefusedCall(
                    ProblemCode.STATE_FORBIDS,
                    "These use the field as it is: "
                            + broken.entrySet().stream()
                                    .map(one -> one.getKey() + " " + one.getValue())
                                    .collect(Collectors.joining("; "))
                            + ". Change them, or repeat the call with ?used=keep: then they stay, and do not work any"
                            + " more.");
        }
    }

    private void requireFit(MailingList list, Field changed) {
        if (store.of(list)
                .find(changed.name())
                .filter(stored -> !stored.isCompatibleWith(changed))
                .isEmpty()) {
            return;
        }
        if (count(list, changed).filter(this::holds).isEmpty()) {
            index.count(list, changed);
        }
        MisfitCounter.MisfitCount misfits = count(list, changed)
                .filter(found -> found.finishedAt() != null)
                .orElseThrow(() -> new RefusedCall(
                        ProblemCode.NOT_NOW,
                        "The service counts the values of " + changed.name()
                                + " that do not fit. Repeat the call in a minute."));
        if (misfits.misfits() > 0) {
            throw new RefusedCall(
                    ProblemCode.VALUES_UNFIT,
                    misfits.misfits() + " of " + misfits.values() + " values do not fit, among them those of "
                            + String.join(", ", misfits.examples().keySet())
                            + ". Correct them, or repeat the call with ?unfit=keep: then they stay, and searches do not"
                            + " find them.");
        }
    }

    private Optional<MisfitCounter.MisfitCount> count(MailingList list, Field changed) {
        return index.fits().find(list.name()).filter(misfits -> misfits.field().equals(changed));
    }

    /** Returns whether the count is in progress, or is recent and too expensive to repeat for each call. */
    private boolean holds(MisfitCounter.MisfitCount misfits) {
        Instant end = misfits.finishedAt();
        return end == null
                || (misfits.rows() > COUNTED_AT_ONCE && end.plus(COUNT_HOLDS).isAfter(time.instant()));
    }

    /** Deletes the field. Its values are removed some time later. */
    @DeleteMapping("/{name}")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void delete(@PathVariable String name, @RequestParam @Nullable String used, MailingList list) {
        if (!keeps("used", used)) {
            requireUnused(list, name, store.of(list).without(name));
        }
        save(list, present -> present.find(name)
                .filter(field -> !field.name().equals(Field.NAME))
                .map(field -> present.without(name)));
    }

    @PostMapping("/index")
    ResponseEntity<Void> again(ApiKey key, Idempotency idempotency, Supplier<MailingList> list) {
        return idempotency.answer("", Void.class, () -> "", attempt -> ResponseEntity.accepted()
                .location(URI.create("/api/v1/jobs/" + index.reindex(list.get(), key.label())))
                .build());
    }

    private void save(MailingList list, Function<ListFields, Optional<ListFields>> change) {
        FieldStore.FieldSaveResult saving = ConditionalWrites.retry("fields of " + list.name(), () -> {
            Versioned<ListFields> now = store.find(list);
            ListFields changed = change.apply(now.value())
                    .orElseThrow(() -> RefusedCall.notFound("The list " + list.name() + " has no such field."));
            return Optional.of(index.save(list, changed, now.etag()))
                    .filter(result -> !(result instanceof FieldStore.FieldSaveResult.Conflict));
        });
        if (saving instanceof FieldStore.FieldSaveResult.BeingRemoved removed) {
            throw new RefusedCall(
                    ProblemCode.NOT_NOW,
                    "The values of a deleted field " + removed.name()
                            + " are still being removed. Repeat the call later.");
        }
        if (saving instanceof FieldStore.FieldSaveResult.TooMuch) {
            throw new RefusedCall(
                    ProblemCode.STATE_FORBIDS,
                    "A list has at most " + MailingList.MAX_ATTRIBUTES + " fields, " + ListFields.MAX_SEARCHABLE
                            + " of them searchable; long labels and options count, too.");
        }
    }

    private static Field read(String name, WantedField wanted) {
        RequestFields fields = new RequestFields();
        boolean ofAll = name.equals(Field.NAME);
        if (!ofAll && !Field.isFree(name)) {
            fields.refuse("name", "Lower-case letters, digits, _ and -, and no name that the service uses itself.");
        }
        String label = wanted.label() == null || wanted.label().isBlank() ? name : fields.line("label", wanted.label());
        FieldType type = fields.optional(
                        "type", wanted.type(), FieldType::parse, "Use text, number, yes_no, date, month_day or choice.")
                .orElse(FieldType.TEXT);
        List<String> options = wanted.options() == null ? List.of() : wanted.options();
        if (type == FieldType.CHOICE ? !Field.areOptions(options) : !options.isEmpty()) {
            fields.refuse(
                    "options",
                    "A choice has 1 to " + Field.MAX_OPTIONS + " different options of at most " + Field.MAX_OPTION
                            + " characters, and no other field has any.");
        }
        if (ofAll && type != FieldType.TEXT) {
            fields.refuse("type", "A name is a text.");
        }
        fields.check();
        return new Field(
                name,
                label,
                type,
                options,
                Boolean.TRUE.equals(wanted.searchable()),
                ofAll || Boolean.TRUE.equals(wanted.changeable()));
    }

    private static FieldBody body(Field field, IndexState state) {
        return new FieldBody(
                field.name(),
                field.label(),
                field.type().word(),
                field.options(),
                field.searchable(),
                field.changeable(),
                state.canSearch(field) ? state.indexedAt() : null);
    }
}
