package org.azuremail.sender.alert;

import org.azuremail.app.ConditionalOnRole;
import org.azuremail.app.Role;
import org.azuremail.attention.Admins;
import org.azuremail.attention.Attention;
import org.azuremail.attention.ReportedCauses.ReportedCausesStore;
import org.azuremail.attention.SendingStatus;
import org.azuremail.suppression.Suppressions;
import org.azuremail.time.Time;
import org.azuremail.work.signal.Signals;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ApplicationListener;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** The beans of the alerts. They run in senders, because only senders have the transports. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnRole(Role.SENDER)
@EnableConfigurationProperties(AlertProperties.class)
@Import({AlertMails.class, AlertSender.class})
class AlertConfiguration {

    /** The most messages under way that are checked in one run; the others are checked later. */
    private static final int MESSAGES = 20;

    @Bean
    Alerts alerts(
            SendingStatus status,
            Attention attention,
            ReportedCausesStore reported,
            Admins admins,
            Suppressions suppressions,
            AlertMails mails,
            AlertSender alertSender,
            Time time) {
        return new Alerts(
                () -> check(status, attention),
                reported,
                () -> admins.alertRecipients().stream()
                        .filter(address -> suppressions.findReason(address).isEmpty())
                        .toList(),
                mails,
                alertSender,
                time);
    }

    /** Checks for problems that arose while no sender ran. */
    @Bean
    ApplicationListener<ApplicationReadyEvent> checkAtStart(Signals signals) {
        return started -> signals.needAttention();
    }

    private static Alerts.Check check(SendingStatus status, Attention attention) {
        SendingStatus.Sample now = status.sample(MESSAGES, MESSAGES);
        boolean sending = now.sending().stream().anyMatch(one -> status.isSending(one.message()));
        return new Alerts.Check(attention.causes(now), sending);
    }
}
