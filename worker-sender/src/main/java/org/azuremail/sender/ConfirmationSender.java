package org.azuremail.sender;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.azuremail.app.AzureMailProperties;
import org.azuremail.list.ListName;
import org.azuremail.listmail.ConfirmationMail;
import org.azuremail.listmail.ListIdentity;
import org.azuremail.listmail.WelcomeMail;
import org.azuremail.mail.Answer;
import org.azuremail.mail.HandOverResult;
import org.azuremail.mail.Mail;
import org.azuremail.mail.MailContent;
import org.azuremail.mail.MailLot;
import org.azuremail.mail.MailTransport.Guard;
import org.azuremail.mail.Unavailable;
import org.azuremail.mailclass.MailClasses;
import org.azuremail.reason.Reason;
import org.azuremail.reason.ReasonCode;
import org.azuremail.route.Attempt;
import org.azuremail.route.PreferredTransports;
import org.azuremail.route.Routes;
import org.azuremail.subscription.ConfirmationClaims;
import org.azuremail.subscription.ConfirmationClaims.ClaimResult;
import org.azuremail.subscription.ConfirmationClaims.ConfirmationItem;
import org.azuremail.subscription.ConfirmationClaims.EmailClaim;
import org.azuremail.subscription.SignUpPriority;
import org.azuremail.subscription.subscriber.Subscriber;
import org.azuremail.suppression.Suppression.SuppressionReason;
import org.azuremail.suppression.Suppressions;
import org.azuremail.template.CompiledTemplate;
import org.azuremail.template.TemplateName;
import org.azuremail.template.Templates;
import org.azuremail.time.Durations;
import org.azuremail.time.ExpiringCache;
import org.azuremail.time.Time;
import org.azuremail.work.queue.ItemType;
import org.azuremail.work.service.Delivery;
import org.azuremail.work.service.WorkResult;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends one confirmation email for each item. The claim is taken after everything that can wait, immediately before the
 * hand-over, so that a lapsed claim always means that the email may have been handed over.
 */
final class ConfirmationSender implements ClassService<ConfirmationItem> {

    /**
     * A confirmation spends most of its time waiting: once for the provider's answer, and five times for the storage.
     */
    private static final int FEWEST_IN_FLIGHT = 4;

    private static final int MAX_IN_FLIGHT = 16;

    private static final Logger LOG = LoggerFactory.getLogger(ConfirmationSender.class);
    private static final Duration IN_DOUBT_DELAY = Duration.ofSeconds(30);
    private static final Duration MAX_WAIT = Duration.ofHours(1);

    /** By then the person has forgotten the request; a new request sends a new email. */
    private static final Duration GIVEN_UP_AFTER = Duration.ofDays(1);

    private final ConfirmationClaims claims;
    private final SignUpPriority signUps;
    private final Suppressions suppressions;
    private final Routes routes;
    private final PreferredTransports preferredTransports;
    private final Templates templates;
    private final AzureMailProperties settings;
    private final MailClasses classes;
    private final Time time;
    private volatile Reason loggedReason = Reason.NONE;

    /** When many people sign up at once, most confirmations in a row are for the same list. */
    private final ExpiringCache<ContentSource, MailContent> contents;

    ConfirmationSender(
            ConfirmationClaims claims,
            SignUpPriority signUps,
            Suppressions suppressions,
            Routes routes,
            PreferredTransports preferredTransports,
            Templates templates,
            AzureMailProperties settings,
            MailClasses classes,
            Time time) {
        this.claims = claims;
        this.signUps = signUps;
        this.suppressions = suppressions;
        this.routes = routes;
        this.preferredTransports = preferredTransports;
        this.templates = templates;
        this.settings = settings;
        this.classes = classes;
        this.time = time;
        this.contents = new ExpiringCache<>(Duration.ofMinutes(1), 4, time);
    }

    @Override
    public ItemType<ConfirmationItem> itemType() {
        return ConfirmationItem.TYPE;
    }

    @Override
    public MailClasses classes() {
        return classes;
    }

    @Override
    public boolean followsMessages() {
        return true;
    }

    @Override
    public int concurrency() {
        return inFlight(routes);
    }

    /**
     * Returns how many confirmations one process hands over at the same time: twice as many as lots, because they are
     * small.
     */
    static int inFlight(Routes routes) {
        return Math.max(FEWEST_IN_FLIGHT, Math.min(MAX_IN_FLIGHT, 2 * routes.concurrency()));
    }

    @Override
    public WorkResult handle(ConfirmationItem item, Delivery delivery) throws InterruptedException {
        return mail(item, delivery, () -> {});
    }

    /** @param request records that the confirmation was requested, as soon as it can be sent */
    WorkResult mail(ConfirmationItem item, Delivery delivery, Runnable request) throws InterruptedException {
        return signUps.runYielding(() -> mailNow(item, delivery, request));
    }

    private WorkResult mailNow(ConfirmationItem item, Delivery delivery, Runnable request) {
        Attempt attempt = new Attempt("confirmation." + item.guid(), time, () -> !delivery.stopping());
        ListName list = item.list();
        Routes.Single single = routes.pickForOne(list == null ? null : preferredTransports.of(list), attempt);
        if (single.pick() instanceof Routes.Pick.None none) {
            return waitFor(none.unavailable());
        }
        loggedReason = Reason.NONE;
        if (!single.limit().isZero()) {
            return later(single.limit().duration());
        }
        Templates.TemplateSet templateSet = templates.of(list);
        request.run();
        ClaimResult claiming = claims.claim(item);
        if (claiming instanceof ClaimResult.Busy busy) {
            return new WorkResult.RetryAfter(busy.retryAfter());
        }
        return claiming instanceof ClaimResult.Claimed claimed
                ? handOver(claimed.claim(), templateSet, (Routes.Pick.Selected) single.pick(), attempt)
                : WorkResult.DONE;
    }

    private WorkResult handOver(
            EmailClaim claim, Templates.TemplateSet templateSet, Routes.Pick.Selected selected, Attempt attempt) {
        Subscriber to = claim.subscriber();
        Optional<SuppressionReason> suppressed = suppressions.findReason(to.address());
        if (suppressed.isPresent()) {
            claims.failed(claim, Reason.of(suppressed.get()));
            return WorkResult.DONE;
        }
        ListIdentity list = ListIdentity.of(claim.list());
        MailContent content = content(list, templateSet, claim.welcome());
        Mail mail = claim.welcome()
                ? WelcomeMail.mail(list, settings.publicUrl(), claim.requestKey(), to.address(), to.guid())
                : ConfirmationMail.mail(list, settings.publicUrl(), claim.requestKey(), to.address(), claim.link());
        ClaimGuard guard = new ClaimGuard(claim);
        HandOverResult handOver;
        try {
            handOver = routes.handOver(selected, null, attempt, new MailLot(content, List.of(mail)), guard);
        } catch (RuntimeException e) {
            LOG.warn("The transport broke while it took a confirmation of list {}.", list.name(), e);
            return inDoubt(
                    guard.claim,
                    Reason.of(ReasonCode.TRANSPORT_BROKE, e.getClass().getSimpleName()));
        }
        return record(guard.claim, content.id(), handOver);
    }

    private record ContentSource(boolean welcome, ListIdentity list, CompiledTemplate html, CompiledTemplate text) {}

    /** Returns the content that the confirmations or the welcome emails of a list share. */
    private MailContent content(ListIdentity list, Templates.TemplateSet templateSet, boolean welcome) {
        ContentSource source = new ContentSource(
                welcome,
                list,
                templateSet.get(welcome ? TemplateName.WELCOME_EMAIL : TemplateName.CONFIRMATION_EMAIL),
                templateSet.get(welcome ? TemplateName.WELCOME_TEXT : TemplateName.CONFIRMATION_TEXT));
        return contents.get(
                source,
                missing -> welcome
                        ? WelcomeMail.content(list, settings.publicUrl(), templateSet)
                        : ConfirmationMail.content(list, settings.publicUrl(), templateSet));
    }

    /** A claim that is renewed for as long as the conversation with the provider lasts. */
    private final class ClaimGuard implements Guard {

        private EmailClaim claim;

        private ClaimGuard(EmailClaim claim) {
            this.claim = claim;
        }

        @Override
        public boolean mayContinue() {
            claim = claims.renewed(claim);
            return time.instant().isBefore(claim.until());
        }
    }

    private WorkResult record(EmailClaim claim, String contentVersion, HandOverResult handOver) {
        Answer answer = handOver.answers().get(0);
        if (answer instanceof Answer.Accepted) {
            claims.sent(claim, contentVersion);
            return WorkResult.DONE;
        }
        if (answer instanceof Answer.Refused refused) {
            claims.failed(claim, refused.reason());
            return WorkResult.DONE;
        }
        if (answer instanceof Answer.Unknown unknown) {
            return inDoubt(claim, unknown.reason());
        }
        Duration delay = handOver.unavailable().map(Unavailable::retryAfter).orElse(IN_DOUBT_DELAY);
        if (answer instanceof Answer.RetryAfter retry) {
            Duration waited = Duration.between(claim.requestedAt(), time.instant());
            if (waited.compareTo(GIVEN_UP_AFTER) > 0) {
                claims.failed(claim, retry.reason());
                return WorkResult.DONE;
            }
            delay = retry.delayAfter(waited);
        }
        claims.release(claim, delay);
        return later(delay);
    }

    private WorkResult inDoubt(EmailClaim claim, Reason reason) {
        return claims.inDoubt(claim, reason) ? later(IN_DOUBT_DELAY) : WorkResult.DONE;
    }

    /** This is logged once for each reason, not for each email that waits. */
    private WorkResult waitFor(Unavailable unavailable) {
        if (!unavailable.reason().equals(loggedReason)) {
            LOG.warn("Confirmations wait: {}", unavailable.reason());
            loggedReason = unavailable.reason();
        }
        return later(unavailable.retryAfter());
    }

    private static WorkResult later(Duration delay) {
        return new WorkResult.RetryAfter(Durations.min(delay, MAX_WAIT));
    }
}
