package org.azuremail.web.api.subscriber;

import java.security.Principal;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.azuremail.mail.EmailAddress;
import org.azuremail.suppression.Suppression;
import org.azuremail.suppression.Suppressions;
import org.azuremail.web.api.Idempotency;
import org.azuremail.web.api.Items;
import org.azuremail.web.api.Paging;
import org.azuremail.web.api.RefusedCall;
import org.azuremail.web.api.RequestFields;
import org.azuremail.web.suppression.SuppressionChanges;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Addresses that get no email from any list. */
@RestController
@RequestMapping("/api/v1/suppressions")
record SuppressionApi(Suppressions suppressions, SuppressionChanges changes) {

    record AddBody(
            @Nullable List<@Nullable String> emails,
            @Nullable String why) {}

    record AddedBody(int added) {}

    /** @param by the admin who suppressed the address; {@code null} if an event did */
    record SuppressionBody(
            String email,
            @Nullable String reasonCode,
            @Nullable Instant at,
            @Nullable String by,
            @Nullable String why) {

        static SuppressionBody of(Suppression one) {
            Suppression.SuppressionAction since = one.since();
            return since == null
                    ? new SuppressionBody(one.address().value(), null, null, null, null)
                    : new SuppressionBody(
                            one.address().value(),
                            since.code().toLowerCase(Locale.ROOT),
                            since.at(),
                            since.by().isEmpty() ? null : since.by(),
                            since.why().isEmpty() ? null : since.why());
        }
    }

    /** Returns suppressions in order of address. A page may have fewer items than the limit and still have a cursor. */
    @GetMapping
    Items<SuppressionBody> all(@RequestParam(defaultValue = "") String begins, Paging paging) {
        return paging.read(
                (limit, from) -> suppressions.page(begins, from, limit, Suppression::active), SuppressionBody::of);
    }

    @GetMapping("/{email}")
    SuppressionBody one(@PathVariable String email) {
        return SuppressionBody.of(EmailAddress.stored(email)
                .flatMap(suppressions::find)
                .filter(Suppression::active)
                .orElseThrow(() -> none(email)));
    }

    /** Suppresses all addresses or none. Repeating the call changes nothing. */
    @PostMapping
    ResponseEntity<AddedBody> add(@RequestBody AddBody body, Principal me, Idempotency idempotency) {
        List<String> emails = body.emails() == null
                ? List.of()
                : body.emails().stream().map(one -> one == null ? "" : one).toList();
        if (emails.isEmpty() || emails.size() > SuppressionChanges.MAX_AT_ONCE) {
            throw RefusedCall.field("emails", "Use 1 to " + SuppressionChanges.MAX_AT_ONCE + " addresses.");
        }
        String why = RequestFields.why(body.why(), SuppressionChanges.MAX_REASON_LENGTH);
        return idempotency.answer(body, AddedBody.class, () -> "", attempt -> {
            RequestFields fields = new RequestFields();
            Optional<Integer> added = changes.add(
                    emails,
                    attempt.startedAt(),
                    me.getName(),
                    why,
                    (line, text) ->
                            fields.refuseUnlessRefused("emails[" + (line - 1) + "]", RequestFields.NOT_AN_ADDRESS));
            fields.check();
            return ResponseEntity.ok(new AddedBody(added.orElse(0)));
        });
    }

    @DeleteMapping("/{email}")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void release(@PathVariable String email, @RequestParam @Nullable String why, Principal me) {
        boolean released = EmailAddress.stored(email)
                .filter(address -> changes.release(
                        address, me.getName(), RequestFields.why(why, SuppressionChanges.MAX_REASON_LENGTH)))
                .isPresent();
        if (!released) {
            throw none(email);
        }
    }

    private static RefusedCall none(String email) {
        return RefusedCall.notFound("Nothing suppresses " + email + ".");
    }
}
