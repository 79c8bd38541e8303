package org.azuremail.eventlog;

import java.net.InetAddress;
import java.net.UnknownHostException;
import org.azuremail.app.ConditionalOnRole;
import org.azuremail.app.Role;
import org.azuremail.eventlog.EventRecorder.EventAppender;
import org.azuremail.id.CompactIds;
import org.azuremail.storage.Storage;
import org.azuremail.time.Time;
import org.azuremail.work.service.ScheduledService;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The event log. Every process writes it, web shows it, and the scheduler deletes old entries. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(EventLogProperties.class)
class EventLogConfiguration {

    @Bean
    EventLog eventLog(Storage storage, CompactIds numbers, Time time, EventLogProperties settings) {
        return new EventLog(storage, numbers, time, settings.keep());
    }

    @Bean
    EventRecorder eventRecorder(EventLog log, Time time) {
        return new EventRecorder(log, process(), time, EventRecorder.MAX_WAITING);
    }

    @Bean
    EventAppender eventAppender(EventRecorder recorder, EventLogProperties settings) {
        return new EventAppender(recorder, settings.level());
    }

    @Bean
    @ConditionalOnRole(Role.SCHEDULER)
    ScheduledService eventLogSweep(EventLog log, EventLogProperties settings, Time time) {
        return ScheduledService.daily(
                "event-log-sweep", () -> log.deleteBefore(time.instant().minus(settings.keep())));
    }

    private static String process() {
        return host() + "/" + ProcessHandle.current().pid();
    }

    private static String host() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "localhost";
        }
    }
}
