package org.azuremail.web.account;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.azuremail.attention.Admins;
import org.azuremail.id.IdSource;
import org.azuremail.mail.EmailAddress;
import org.azuremail.storage.ConditionalWrites;
import org.azuremail.storage.KeyEscaper;
import org.azuremail.storage.KeyRange;
import org.azuremail.storage.Row;
import org.azuremail.storage.Storage;
import org.azuremail.storage.Table;
import org.azuremail.storage.Values;
import org.azuremail.storage.Write;
import org.azuremail.storage.WriteResult;
import org.azuremail.time.Time;

/**
 * The accounts, and the one-time links that create them or reset their passwords. All are in one partition of the table
 * {@code account}, so that one write uses a link and applies its effect: it works once, even if two people use it at
 * the same time. Safe for use from many threads and processes.
 */
public final class Accounts {

    public static final Duration INVITATION_LIFETIME = Duration.ofHours(48);

    public static final Duration RESET_LIFETIME = Duration.ofHours(1);

    private static final String PARTITION = Admins.PARTITION;
    private static final String ACCOUNT = Admins.PREFIX;

    /** The most links in one batch: a batch also holds two accounts. */
    private static final int MAX_LINKS_PER_BATCH = 98;

    private final Table table;
    private final Passwords passwords;
    private final IdSource ids;
    private final Time time;

    Accounts(Storage storage, Passwords passwords, IdSource ids, Time time) {
        this.table = new Table(storage.tables(), Admins.TABLE);
        this.passwords = passwords;
        this.ids = ids;
        this.time = time;
    }

    public boolean isEmpty() {
        return table.stream(KeyRange.prefix(PARTITION, ACCOUNT)).findAny().isEmpty();
    }

    public List<Account> all() {
        return table.stream(KeyRange.prefix(PARTITION, ACCOUNT))
                .map(Account::of)
                .toList();
    }

    public Optional<Account> find(EmailAddress email) {
        return table.get(PARTITION, accountRow(email)).map(Account::of);
    }

    /**
     * Creates the first account if none exists, and changes the row of the first run's link. A process that found no
     * account before this can then no longer create one, even if this admin has been removed meanwhile.
     */
    void addFirst(EmailAddress email, String password) {
        Account account = account(email, password, "set-up");
        ConditionalWrites.retryUntilDone("the first account", () -> {
            Optional<Row> link = table.get(PARTITION, OneTimeLink.SETUP_ROW);
            Write replaceLink = Write.put(link, OneTimeLink.SETUP_ROW, setupLink(Secret.next(ids)));
            return !isEmpty()
                    || table.write(PARTITION, List.of(replaceLink, insert(account)))
                            .written();
        });
    }

    /**
     * Begins to remove an account: its sessions and known devices end at once, it cannot be signed in to, and the links
     * that it created or that lead to it are deleted. The call can be repeated.
     *
     * @param by the admin who removes it, whose account must exist in the same write: of two admins who remove each
     *     other, one stays
     * @return false if one of the accounts does not exist, both are the same, or {@code by} is being removed
     */
    public boolean beginRemoval(EmailAddress email, EmailAddress by) {
        boolean begun = ConditionalWrites.retry("account", () -> {
            Optional<Row> leaving = table.get(PARTITION, accountRow(email));
            Optional<Row> remover = table.get(PARTITION, accountRow(by))
                    .filter(row -> !Account.of(row).removing());
            if (leaving.isEmpty() || remover.isEmpty() || email.folded().equals(by.folded())) {
                return Optional.of(false);
            }
            Account ended = Account.of(leaving.get()).beingRemoved(ids.token());
            List<Write> writes = new ArrayList<>();
            writes.add(Write.replace(leaving.get(), ended.values()));
            writes.add(Write.replace(remover.get(), remover.get().values()));
            linksOf(email).limit(MAX_LINKS_PER_BATCH).map(Write::delete).forEach(writes::add);
            return table.write(PARTITION, writes).written() ? Optional.of(true) : Optional.empty();
        });
        if (begun) {
            List<Row> left = linksOf(email).toList();
            if (isBeingRemoved(email)) {
                left.forEach(row -> table.write(PARTITION, Write.delete(row)));
            }
        }
        return begun;
    }

    /**
     * Returns whether a removal has begun and is not finished. Data of this admin that was read before this call must
     * be removed.
     */
    public boolean isBeingRemoved(EmailAddress email) {
        return find(email).filter(Account::removing).isPresent();
    }

    /** Finishes a removal. An account that is not being removed stays. */
    public void finishRemoval(EmailAddress email) {
        table.get(PARTITION, accountRow(email))
                .filter(row -> Account.of(row).removing())
                .ifPresent(row -> table.write(PARTITION, Write.delete(row)));
    }

    private Stream<Row> linksOf(EmailAddress email) {
        return table.stream(KeyRange.prefix(PARTITION, OneTimeLink.PREFIX))
                .filter(row -> OneTimeLink.of(row).isOf(email));
    }

    /**
     * Gives an account a new password and ends all its sessions.
     *
     * @param checked the account whose password was just checked
     * @return empty if its password has changed meanwhile, it was signed out everywhere, or it is being removed
     */
    public Optional<Account> changePassword(Account checked, String password) {
        String hash = passwords.hash(password);
        String stamp = ids.token();
        Set<String> expected = Set.of(checked.stamp(), stamp);
        return update(
                checked.email(),
                account -> expected.contains(account.stamp()),
                account -> account.withPassword(hash, stamp));
    }

    /** Ends all sessions of an account. */
    public void endSessions(EmailAddress email) {
        update(email, account -> account.withStamp(ids.token()));
    }

    /** Sets whether an admin gets an email when something needs an admin. */
    void setAlerts(EmailAddress email, boolean wanted) {
        update(email, account -> account.withAlerts(wanted));
    }

    void signedIn(EmailAddress email) {
        Instant now = time.instant();
        update(email, account -> account.signedInAt(now));
    }

    /** Creates the link of the first run; the previous one stops working. */
    Secret setupLink() {
        Secret secret = Secret.next(ids);
        table.write(PARTITION, Write.upsert(OneTimeLink.SETUP_ROW, setupLink(secret)));
        return secret;
    }

    private static Values setupLink(Secret secret) {
        return new OneTimeLink(OneTimeLink.Kind.SETUP, null, null, "first run", Instant.MAX).values(secret);
    }

    /**
     * Creates a link for choosing a password, which works once and for a limited time. A link to an existing account
     * ends early when the account gets a new password or is signed out everywhere.
     */
    public Secret link(OneTimeLink.Kind kind, EmailAddress email, String by) {
        Secret secret = Secret.next(ids);
        Duration lifetime = kind == OneTimeLink.Kind.INVITATION ? INVITATION_LIFETIME : RESET_LIFETIME;
        String stamp = find(email).map(Account::stamp).orElse(null);
        OneTimeLink link =
                new OneTimeLink(kind, email, stamp, by, time.instant().plus(lifetime));
        table.write(PARTITION, Write.insert(OneTimeLink.rowKey(secret), link.values(secret)));
        return secret;
    }

    /** Returns the link of a secret if it still works. */
    public Optional<OneTimeLink> openLink(Secret secret) {
        return linkRow(secret).map(OneTimeLink::of).filter(this::works);
    }

    private boolean works(OneTimeLink link) {
        EmailAddress email = link.email();
        // A process that dies while it removes an admin with many links may leave some of them.
        return link.worksAt(time.instant())
                && link.creator().map(this::isActive).orElse(true)
                && (email == null
                        || find(email)
                                .filter(account -> !link.isValidFor(account))
                                .isEmpty());
    }

    /**
     * A link that works.
     *
     * @param id the id for {@link #revokeLink}; reveals nothing about the secret
     */
    public record OpenLink(String id, OneTimeLink link) {}

    /** Returns the invitations and reset links that still work, in the order in which they expire. */
    public List<OpenLink> openLinks() {
        return table.stream(KeyRange.prefix(PARTITION, OneTimeLink.PREFIX))
                .map(row -> new OpenLink(row.rowKey().substring(OneTimeLink.PREFIX.length()), OneTimeLink.of(row)))
                .filter(open -> works(open.link()))
                .sorted(Comparator.comparing(open -> open.link().worksUntil()))
                .toList();
    }

    /**
     * Revokes a link.
     *
     * @return false if the link was used, revoked or expired before
     */
    public boolean revokeLink(String id) {
        return openLinks().stream().anyMatch(open -> open.id().equals(id))
                && table.write(PARTITION, Write.delete(OneTimeLink.PREFIX + id)).written();
    }

    /** Returns whether the address has an account that is not being removed. */
    public boolean isActive(EmailAddress admin) {
        return find(admin).filter(account -> !account.removing()).isPresent();
    }

    /** Creates the first account; empty if the link was used or replaced, or an account already exists. */
    Optional<Account> useSetupLink(Secret secret, EmailAddress email, String password) {
        Optional<Row> row =
                linkRow(secret).filter(found -> OneTimeLink.of(found).kind() == OneTimeLink.Kind.SETUP);
        return row.isPresent() && isEmpty() ? useToAdd(row.get(), email, password, "first run") : Optional.empty();
    }

    /**
     * Creates the account to which the link invites, or sets its password.
     *
     * @return the account as written; empty if the link does not work any more
     */
    Optional<Account> useLink(Secret secret, String password) {
        Optional<OneTimeLink> link = openLink(secret);
        Optional<Row> row = linkRow(secret);
        if (link.isEmpty() || row.isEmpty() || link.get().email() == null) {
            return Optional.empty();
        }
        EmailAddress email = link.get().email();
        Optional<Row> account = table.get(PARTITION, accountRow(email));
        if (account.map(Account::of)
                .filter(owner -> owner.removing() || !link.get().isValidFor(owner))
                .isPresent()) {
            return Optional.empty();
        }
        if (link.get().kind() == OneTimeLink.Kind.INVITATION && account.isEmpty()) {
            return useToAdd(row.get(), email, password, link.get().createdBy());
        }
        return link.get().kind() == OneTimeLink.Kind.RESET && account.isPresent()
                ? useToReset(row.get(), account.get(), password)
                : Optional.empty();
    }

    void sweep() {
        table.stream(KeyRange.prefix(PARTITION, OneTimeLink.PREFIX))
                .filter(row -> !OneTimeLink.of(row).worksAt(time.instant()))
                .forEach(row -> table.write(PARTITION, Write.delete(row)));
    }

    private Optional<Account> useToAdd(Row link, EmailAddress email, String password, String by) {
        Account account = account(email, password, by);
        return confirmWritten(table.write(PARTITION, List.of(Write.delete(link), insert(account))), account);
    }

    private Optional<Account> useToReset(Row link, Row account, String password) {
        Account changed = Account.of(account).withPassword(passwords.hash(password), ids.token());
        Write replace = Write.replace(account, changed.values());
        return confirmWritten(table.write(PARTITION, List.of(Write.delete(link), replace)), changed);
    }

    private Optional<Row> linkRow(Secret secret) {
        return table.get(PARTITION, OneTimeLink.rowKey(secret)).or(() -> table.get(PARTITION, OneTimeLink.SETUP_ROW)
                .filter(row -> OneTimeLink.belongsTo(row, secret)));
    }

    private Account account(EmailAddress email, String password, String by) {
        return new Account(email, passwords.hash(password), ids.token(), time.instant(), by, null, false, true);
    }

    private static Write insert(Account account) {
        return Write.insert(accountRow(account.email()), account.values());
    }

    /**
     * Returns the account if it was written. A write may be refused because it succeeded before and its answer was
     * lost; then the stored stamp is the same.
     */
    private Optional<Account> confirmWritten(WriteResult result, Account account) {
        return result.written()
                ? Optional.of(account)
                : find(account.email()).filter(stored -> stored.stamp().equals(account.stamp()));
    }

    private Optional<Account> update(EmailAddress email, UnaryOperator<Account> change) {
        return update(email, any -> true, change);
    }

    private Optional<Account> update(EmailAddress email, Predicate<Account> fits, UnaryOperator<Account> change) {
        return ConditionalWrites.retry("account", () -> {
            Optional<Row> row = table.get(PARTITION, accountRow(email))
                    .filter(found -> !Account.of(found).removing() && fits.test(Account.of(found)));
            if (row.isEmpty()) {
                return Optional.of(Optional.empty());
            }
            Account changed = change.apply(Account.of(row.get()));
            return table.write(PARTITION, Write.replace(row.get(), changed.values()))
                            .written()
                    ? Optional.of(Optional.of(changed))
                    : Optional.empty();
        });
    }

    private static String accountRow(EmailAddress email) {
        return ACCOUNT + KeyEscaper.escape(email.folded());
    }
}
