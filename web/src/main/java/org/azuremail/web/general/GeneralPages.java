package org.azuremail.web.general;

import java.time.ZoneId;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.azuremail.app.AzureMailProperties;
import org.azuremail.configuration.InstanceSettings;
import org.azuremail.configuration.InstanceSettings.Setting;
import org.azuremail.configuration.SettingSources;
import org.azuremail.sending.TransportDirectory;
import org.jspecify.annotations.Nullable;
import org.springframework.core.env.Environment;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;

/** Shows the settings with which the processes run, the important ones in groups and explained. */
@Controller
record GeneralPages(
        InstanceSettings instanceSettings,
        SettingSources sources,
        TransportDirectory transports,
        AzureMailProperties installation,
        Environment environment) {

    private static final String PREFIX = "azuremail.";
    private static final String ZONE = "azuremail.zone";

    /**
     * The explained settings by group, without their prefix, as {@code general.about.<setting>} describes them. A group
     * has the texts {@code general.group.<group>} and {@code general.docs.<group>}.
     */
    private static final Map<String, List<String>> GROUPS = groups(
            "installation: public-url zone storage data-dir azure.account roles",
            "sending: mail.transport mail.rate mail.on-unknown mail.bounce-address mail.unsubscribe-address"
                    + " mail.pause-at-bounces mail.pause-at-complaints message.undo message.max-body alerts.from",
            "subscribers: subscription.confirmation-link subscription.confirmations subscription.confirmation-window"
                    + " suppression.soft-bounces suppression.within key.requests-per-second import.max-file",
            "retention: archive.keep event-log.level event-log.keep outbox.keep import.keep jobs.keep jobs.keep-files",
            "access: session.idle session.longest admin.allow-from",
            "work: work.polling work.safety-poll work.signals.port work.signals.bind work.signals.host"
                    + " live.max-streams");

    /** The group of all other settings, which has no explanations. */
    private static final String OTHERS = "others";

    /** A setting on the page, with its source in this process; {@code null} if this process cannot know it. */
    record Line(Setting setting, SettingSources.@Nullable Source source) {}

    private static Map<String, List<String>> groups(String... lines) {
        Map<String, List<String>> groups = new LinkedHashMap<>();
        for (String line : lines) {
            String[] parts = line.split(": ");
            groups.put(
                    parts[0],
                    Stream.of(parts[1].split(" ")).map(name -> PREFIX + name).toList());
        }
        return groups;
    }

    /** @param differing whether only settings are shown that differ between processes */
    @GetMapping("/settings/general")
    String all(@RequestParam(defaultValue = "false") boolean differing, Model model) {
        InstanceSettings.SettingsReport effective = instanceSettings.effective();
        model.addAttribute("notReporting", effective.notReporting());
        model.addAttribute("groups", groups(effective.settings(), differing));
        model.addAttribute("differing", differing);
        model.addAttribute("version", environment.getProperty("spring.application.version"));
        model.addAttribute("java", Runtime.version().toString());
        model.addAttribute("publicUrl", installation.publicUrl());
        model.addAttribute("storage", installation.storage());
        model.addAttribute("transports", transports.order());
        model.addAttribute("keepsOnly", !transports.sendsExternally());
        model.addAttribute("linkProblem", installation.linkProblem().orElse(null));
        model.addAttribute("noZone", sources.of(ZONE).kind() == SettingSources.Kind.DEFAULT);
        model.addAttribute("machineZone", ZoneId.systemDefault());
        return "general/all";
    }

    /** Redirects the former address. */
    @GetMapping("/operations/configuration")
    String former(@RequestParam(defaultValue = "false") boolean differing) {
        return "redirect:/settings/general" + (differing ? "?differing=true" : "");
    }

    private Map<String, List<Line>> groups(Collection<Setting> settings, boolean differing) {
        Map<String, Setting> rest = new TreeMap<>();
        settings.forEach(setting -> rest.put(setting.name(), setting));
        Map<String, List<Line>> groups = new LinkedHashMap<>();
        GROUPS.forEach((group, names) -> {
            Stream<Setting> explained = names.stream()
                    .map(name -> Objects.requireNonNullElseGet(rest.remove(name), () -> new Setting(name, Map.of())));
            groups.put(group, lines(explained, differing));
        });
        groups.put(OTHERS, lines(rest.values().stream(), differing));
        groups.values().removeIf(List::isEmpty);
        return groups;
    }

    private List<Line> lines(Stream<Setting> settings, boolean differing) {
        return settings.filter(setting -> !differing || setting.differs())
                .map(setting -> new Line(setting, setting.differs() ? null : sources.of(setting.name())))
                .toList();
    }
}
