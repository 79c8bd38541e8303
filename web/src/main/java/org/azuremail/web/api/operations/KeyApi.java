package org.azuremail.web.api.operations;

import java.net.URI;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.azuremail.id.AsciiWord;
import org.azuremail.list.ListName;
import org.azuremail.list.ListStore;
import org.azuremail.web.account.Secret;
import org.azuremail.web.api.Idempotency;
import org.azuremail.web.api.Items;
import org.azuremail.web.api.ProblemCode;
import org.azuremail.web.api.RefusedCall;
import org.azuremail.web.api.RequestFields;
import org.azuremail.web.key.ApiKey;
import org.azuremail.web.key.ApiKeyChanges;
import org.azuremail.web.key.ApiKeys;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Creates, lists and revokes API keys. */
@RestController
@RequestMapping("/api/v1/keys")
record KeyApi(ApiKeys keys, ListStore lists, ApiKeyChanges changes) {

    /**
     * @param lastDay the last day on which the key works, in the service's time zone; without it, the key does not
     *     expire
     * @param requestsPerSecond the quota of a subscribe key; by default, that of the settings
     */
    record NewKey(
            @Nullable String label,
            @Nullable String scope,
            @Nullable List<@Nullable String> lists,
            @Nullable String lastDay,
            @Nullable Integer requestsPerSecond) {}

    /**
     * @param requestsPerSecond the key's own quota; {@code null} if the key has the default quota, or none
     * @param secret the secret, in the answer that creates the key; {@code null} in all others
     */
    record KeyBody(
            String id,
            String label,
            String hint,
            String scope,
            List<String> lists,
            Instant createdAt,
            String createdBy,
            String owner,
            @Nullable Instant expiresAt,
            @Nullable Integer requestsPerSecond,
            @Nullable Instant lastUsedAt,
            @Nullable String secret) {

        static KeyBody of(ApiKey key, @Nullable String secret) {
            return new KeyBody(
                    key.id(),
                    key.label(),
                    key.hint(),
                    AsciiWord.of(key.scope()),
                    key.sortedLists().stream().map(ListName::value).toList(),
                    key.createdAt(),
                    key.createdBy(),
                    key.owner(),
                    key.expiresAt(),
                    key.requestsPerSecond() == 0 ? null : key.requestsPerSecond(),
                    key.lastUsedAt(),
                    secret);
        }
    }

    @GetMapping
    Items<KeyBody> all() {
        return Items.all(keys.all(), key -> KeyBody.of(key, null));
    }

    /**
     * Creates a key. The service does not store the secret, so it cannot repeat the answer. A call that broke off may
     * leave a key whose secret is lost: that key is revoked, and another one is created.
     */
    @PostMapping
    ResponseEntity<KeyBody> create(@RequestBody NewKey wanted, ApiKey by, Idempotency idempotency) {
        try {
            return create(idempotency, wanted, by.owner());
        } catch (RefusedCall brokenOff) {
            if (brokenOff.code() != ProblemCode.NOT_NOW) {
                throw brokenOff;
            }
            return create(idempotency, wanted, by.owner());
        }
    }

    private ResponseEntity<KeyBody> create(Idempotency idempotency, NewKey wanted, String by) {
        Secret secret = keys.nextSecret();
        AtomicReference<@Nullable KeyBody> made = new AtomicReference<>();
        ResponseEntity<Void> answer = idempotency.answer(wanted, Void.class, secret::hash, attempt -> {
            if (attempt.resumed()) {
                keys.revokeOrPrevent(attempt.intended());
                throw notNow();
            }
            ApiKey key = changes.create(secret, read(wanted), by)
                    .orElseThrow(() -> new RefusedCall(
                            ProblemCode.FORBIDDEN, "The admin who answers for this key has been removed."))
                    .key();
            // A later try has concluded that this one broke off.
            if (keys.revoked(secret)) {
                throw notNow();
            }
            made.set(KeyBody.of(key, secret.text()));
            return ResponseEntity.created(URI.create("/api/v1/keys/" + key.id()))
                    .build();
        });
        KeyBody body = made.get();
        if (body == null) {
            throw new RefusedCall(
                            ProblemCode.SECRET_SHOWN_ONCE,
                            "This call created a key, whose secret was shown once and is kept nowhere. If it did not"
                                    + " reach you, delete that key (see Location) and call with another Idempotency-Key.")
                    .with("Location", String.valueOf(answer.getHeaders().getLocation()));
        }
        return ResponseEntity.status(answer.getStatusCode())
                .headers(answer.getHeaders())
                .body(body);
    }

    private static RefusedCall notNow() {
        return new RefusedCall(ProblemCode.NOT_NOW, "An earlier try broke off. Repeat the call.");
    }

    private ApiKey.Terms read(NewKey wanted) {
        RequestFields fields = new RequestFields();
        Optional<ApiKey.Scope> scope = fields.required(
                "scope",
                wanted.scope(),
                word -> RequestFields.constant(word, ApiKey.Scope.class),
                "Use admin, subscribe or metrics.");
        List<String> names = wanted.lists() == null
                ? List.of()
                : wanted.lists().stream().map(String::valueOf).toList();
        names.stream()
                .filter(name -> ListName.parse(name).flatMap(lists::findActive).isEmpty())
                .forEach(name -> fields.refuse("lists", "There is no list " + name + "."));
        if (wanted.requestsPerSecond() != null
                && scope.filter(one -> one != ApiKey.Scope.SUBSCRIBE).isPresent()) {
            fields.refuse("requestsPerSecond", "Only a key with the scope subscribe has a quota.");
        }
        Optional<ApiKey.Terms> terms = changes.terms(
                wanted.label(),
                scope.orElse(ApiKey.Scope.ADMIN),
                names,
                wanted.lastDay(),
                wanted.requestsPerSecond(),
                fields::refuseUnlessRefused);
        fields.check();
        return terms.orElseThrow();
    }

    @DeleteMapping("/{id}")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void revoke(@PathVariable String id) {
        if (keys.find(id).isEmpty()) {
            throw RefusedCall.notFound("There is no such key, or it is revoked already.");
        }
        keys.revoke(id);
    }
}
