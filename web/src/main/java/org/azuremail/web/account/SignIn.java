package org.azuremail.web.account;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.azuremail.mail.EmailAddress;
import org.azuremail.web.account.SignInAttempts.Subject;
import org.azuremail.web.account.SignInAttempts.Subject.Kind;
import org.azuremail.web.layout.RetryAfter;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.web.ErrorResponseException;

/**
 * Checks addresses and passwords, and slows down guessing. Attempts of strangers are counted by network, by account
 * within a network and, with a higher limit, by account alone, since an attacker may have many networks. On a known
 * device, the owner of the account does not wait for strangers: the device's failures have a count of their own.
 *
 * <p>The account that counts is the one that the typed text reaches, however it is spelled. An account that does not
 * exist is counted like an existing one, and both cost the same work.
 */
record SignIn(
        Accounts accounts,
        Passwords passwords,
        KnownDevices devices,
        SignInAttempts attempts,
        PasswordCheckLimiter limiter) {

    sealed interface Result {

        record Success(Account account) implements Result {}

        record BadCredentials() implements Result {}

        record Throttled(Duration delay) implements Result {}

        /** Too many other visitors are signing in. Nothing was checked, and the attempt does not count. */
        record Busy() implements Result {

            ErrorResponseException answer() {
                var answer = new ErrorResponseException(HttpStatus.SERVICE_UNAVAILABLE);
                answer.getHeaders().set(HttpHeaders.RETRY_AFTER, RetryAfter.SECONDS);
                return answer;
            }
        }
    }

    /**
     * A visitor who signs in.
     *
     * @param networkAddress the address of the browser, from the trusted proxy or the connection
     * @param device the secret that the browser sent, which may be forged
     */
    record Visitor(String networkAddress, Optional<Secret> device) {}

    private static final int FREE_PER_DEVICE = 10;
    private static final int FREE_PER_NETWORK = 20;
    private static final int FREE_PER_ACCOUNT_AND_NETWORK = 5;

    /** NIST SP 800-63B, 5.2.2: no more than 100 failures in a row. */
    private static final int FREE_PER_ACCOUNT = 100;

    Result attempt(String email, String password, Visitor visitor) {
        Optional<EmailAddress> address = EmailAddress.candidates(email).stream()
                .filter(typed -> accounts.find(typed).isPresent())
                .findFirst()
                .or(() -> EmailAddress.parse(email));
        Optional<Account> account = address.flatMap(accounts::find);
        return inTurn(account, password, subjects(address, account, visitor));
    }

    /** Checks the password of a signed-in admin; guesses of strangers do not count. */
    Result confirm(EmailAddress me, String password) {
        return inTurn(
                accounts.find(me),
                password,
                List.of(new Subject(Kind.CONFIRM, me.folded(), FREE_PER_ACCOUNT_AND_NETWORK)));
    }

    private Result inTurn(Optional<Account> account, String password, List<Subject> subjects) {
        boolean known = subjects.stream().noneMatch(subject -> subject.kind() == Kind.NETWORK);
        if (!limiter.begin(known)) {
            return new Result.Busy();
        }
        try {
            return check(account, password, subjects);
        } finally {
            limiter.end();
        }
    }

    private Result check(Optional<Account> account, String password, List<Subject> subjects) {
        Optional<Duration> wait = attempts.count(subjects);
        if (wait.isPresent()) {
            return new Result.Throttled(wait.get());
        }
        if (account.isEmpty()) {
            passwords.simulateCheck(password);
            return new Result.BadCredentials();
        }
        if (!passwords.matches(password, account.get().passwordHash())) {
            return new Result.BadCredentials();
        }
        attempts.forget(subjects);
        return new Result.Success(account.get());
    }

    private List<Subject> subjects(Optional<EmailAddress> address, Optional<Account> account, Visitor visitor) {
        String network = ClientNetwork.of(visitor.networkAddress());
        Subject byNetwork = new Subject(Kind.NETWORK, network, FREE_PER_NETWORK);
        if (address.isEmpty()) {
            // An invalid address belongs to no account.
            return List.of(byNetwork);
        }
        if (visitor.device().isPresent() && known(visitor.device().get(), address.get(), account)) {
            return List.of(new Subject(Kind.DEVICE, visitor.device().get().hash(), FREE_PER_DEVICE));
        }
        String name = address.get().folded();
        return List.of(
                byNetwork,
                new Subject(Kind.STRANGER, network + " " + name, FREE_PER_ACCOUNT_AND_NETWORK),
                new Subject(Kind.ACCOUNT, name, FREE_PER_ACCOUNT));
    }

    private boolean known(Secret device, EmailAddress email, Optional<Account> account) {
        Optional<String> stamp = devices.findStamp(email, device);
        return account.isPresent() && stamp.equals(Optional.of(account.get().stamp()));
    }
}
