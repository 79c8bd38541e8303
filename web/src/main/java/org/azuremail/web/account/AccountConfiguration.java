package org.azuremail.web.account;

import java.util.List;
import java.util.Map;
import org.azuremail.app.AzureMailProperties;
import org.azuremail.work.instance.InstanceFacts;
import org.azuremail.work.lease.Expiring;
import org.azuremail.work.service.ScheduledService;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Sessions, signing in and the first run. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties({SessionProperties.class, BootstrapProperties.class})
@Import({
    AccountStoreConfiguration.class,
    Sessions.class,
    SignInAttempts.class,
    KnownDevices.class,
    PasswordCheckLimiter.class,
    SignIn.class,
    BrowserSession.class,
    FirstRun.class
})
class AccountConfiguration {

    @Bean
    SecretCookie sessionCookie(AzureMailProperties settings) {
        return new SecretCookie(settings, "azuremail", SecretCookie.SESSION);
    }

    /** Marks a browser in which an admin signed in before. It gives no access. */
    @Bean
    SecretCookie deviceCookie(AzureMailProperties settings) {
        return new SecretCookie(settings, "azuremail-device", KnownDevices.RETENTION);
    }

    /** Publishes the address of the service for a command in another process, which prints the address. */
    @Bean
    InstanceFacts publicAddress(AzureMailProperties settings) {
        return () ->
                Map.of(ResetPasswordCommand.PUBLIC_URL, settings.publicUrl().toString());
    }

    @Bean
    ScheduledService expiredSessions(
            Accounts accounts,
            Sessions sessions,
            SignInAttempts attempts,
            KnownDevices devices,
            List<Expiring> others) {
        return ScheduledService.daily("expired-sessions", () -> {
            sessions.sweep();
            attempts.sweep(devices);
            accounts.sweep();
            others.forEach(Expiring::removeExpired);
        });
    }
}
