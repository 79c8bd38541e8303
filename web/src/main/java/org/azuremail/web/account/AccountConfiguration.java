package org.azuremail.web.account;

import java.util.List;
import java.util.Map;
import org.azuremail.app.AzureMailProperties;
import org.azuremail.id.IdSource;
import org.azuremail.storage.Storage;
import org.azuremail.time.Time;
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
    SignIn.class,
    SessionCookie.class,
    DeviceCookie.class,
    BrowserSession.class,
    FirstRun.class
})
class AccountConfiguration {

    @Bean
    Sessions sessions(Storage storage, Accounts accounts, SessionProperties settings, IdSource ids, Time time) {
        return new Sessions(storage.tables(), accounts, settings, ids, time);
    }

    @Bean
    SignInAttempts signInAttempts(Storage storage, IdSource ids, Time time) {
        return new SignInAttempts(storage.tables(), ids, time);
    }

    @Bean
    Devices devices(Storage storage, IdSource ids, Time time) {
        return new Devices(storage.tables(), ids, time);
    }

    /** So that a command beside the running service knows where it is reached. */
    @Bean
    InstanceFacts publicAddress(AzureMailProperties settings) {
        return () -> Map.of(LostPassword.PUBLIC_URL, settings.publicUrl().toString());
    }

    @Bean
    ScheduledService expiredSessions(
            Accounts accounts, Sessions sessions, SignInAttempts attempts, Devices devices, List<Expiring> others) {
        return ScheduledService.daily("expired-sessions", () -> {
            sessions.sweep();
            attempts.sweep(devices);
            accounts.sweep();
            others.forEach(Expiring::removeExpired);
        });
    }
}
