package org.azuremail.web.key;

import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.azuremail.app.AzureMailProperties;
import org.azuremail.time.Time;
import org.azuremail.web.account.Accounts;
import org.azuremail.web.account.Secret;
import org.jspecify.annotations.Nullable;
import org.springframework.context.MessageSource;
import org.springframework.stereotype.Component;
import org.springframework.validation.BeanPropertyBindingResult;

/** Creates keys, and reads the terms that programs ask for, with the same checks as the page. */
@Component
public record ApiKeyChanges(
        AzureMailProperties settings, Time time, MessageSource texts, ApiKeys keys, Accounts accounts) {

    /**
     * Creates a key. Checks the owner after the key is written, because a removal of the owner that began earlier may
     * already have searched for the owner's keys.
     *
     * @param by as in {@link ApiKeys#create}
     * @return empty when the owner has been removed or is being removed; the secret then gives no access
     */
    public Optional<ApiKeys.NewKey> create(Secret secret, ApiKey.Terms terms, String by) {
        ApiKeys.NewKey made = keys.create(secret, terms, by);
        if (made.key().responsibleAdmin().map(accounts::isActive).orElse(true)) {
            return Optional.of(made);
        }
        keys.revoke(made.key().id());
        return Optional.empty();
    }

    /**
     * Returns the terms of a key that is to be created.
     *
     * @param lastDay the last day on which the key works, in the service's time zone; {@code null} for no end
     * @param requestsPerSecond the quota of a subscribe key; {@code null} for the default of the settings
     * @param refused receives the mistakes, by field
     * @return empty when an input has a mistake
     */
    public Optional<ApiKey.Terms> terms(
            @Nullable String label,
            ApiKey.Scope scope,
            List<String> lists,
            @Nullable String lastDay,
            @Nullable Integer requestsPerSecond,
            BiConsumer<String, String> refused) {
        KeyPages.Form form =
                new KeyPages.Form(label, scope.name(), lists, lastDay, Objects.toString(requestsPerSecond, null));
        BeanPropertyBindingResult errors = new BeanPropertyBindingResult(form, "form");
        form.check(errors, settings.zone(), time.instant());
        errors.getFieldErrors()
                .forEach(error -> refused.accept(error.getField(), texts.getMessage(error, Locale.ENGLISH)));
        return errors.hasErrors() ? Optional.empty() : Optional.of(form.terms(settings.zone()));
    }
}
