package org.azuremail.web.account;

import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import org.azuremail.mail.EmailAddress;

/** Checks addresses and passwords, slowly for those who guess: per account and per network address. */
final class SignIn {

    /** What came of an attempt. */
    sealed interface Result {

        record Welcome(Account account) implements Result {}

        record Wrong() implements Result {}

        record TooMany(Duration delay) implements Result {}
    }

    private static final int FREE_PER_ACCOUNT = 5;
    private static final int FREE_PER_NETWORK_ADDRESS = 20;

    private final Accounts accounts;
    private final Passwords passwords;
    private final SignInAttempts attempts;

    SignIn(Accounts accounts, Passwords passwords, SignInAttempts attempts) {
        this.accounts = accounts;
        this.passwords = passwords;
        this.attempts = attempts;
    }

    Result attempt(String email, String password, String networkAddress) {
        String byAccount = "account:" + email.strip().toLowerCase(Locale.ROOT);
        String byAddress = "ip:" + network(networkAddress);
        Optional<Duration> wait = attempts.count(byAddress, FREE_PER_NETWORK_ADDRESS)
                .or(() -> attempts.count(byAccount, FREE_PER_ACCOUNT));
        if (wait.isPresent()) {
            return new Result.TooMany(wait.get());
        }
        Optional<Account> account = check(email, password);
        if (account.isEmpty()) {
            return new Result.Wrong();
        }
        attempts.forget(byAccount);
        attempts.forget(byAddress);
        return new Result.Welcome(account.get());
    }

    private Optional<Account> check(String email, String password) {
        Optional<Account> account = EmailAddress.parse(email).flatMap(accounts::find);
        if (account.isEmpty()) {
            passwords.pretend(password);
        }
        return account.filter(found -> passwords.matches(password, found.passwordHash()));
    }

    /** One IPv6 customer has a network of 64 bits to guess from. */
    private static String network(String address) {
        if (!address.contains(":")) {
            return address;
        }
        String[] groups = address.split(":", -1);
        return String.join(":", Arrays.copyOf(groups, Math.min(4, groups.length)));
    }
}
