package org.azuremail.configuration;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.azuremail.work.instance.Instance;
import org.azuremail.work.instance.Instances;

/**
 * The settings of all live processes, as reported in their last heartbeats. Reading them takes one storage call. Safe
 * for use from many threads; throws a {@link org.azuremail.storage.StorageException} if the storage is out of reach.
 */
public record InstanceSettings(Instances instances) {

    /**
     * A setting.
     *
     * @param values each value, and the processes that have it
     */
    public record Setting(String name, Map<String, List<Process>> values) {

        /** Returns whether the value differs between the processes that have the setting. */
        public boolean differs() {
            return values.size() > 1;
        }
    }

    /** A process with a setting. */
    public record Process(String id, String host, String roles) {}

    /**
     * The settings that the processes use.
     *
     * @param settings the settings by name
     * @param notReporting the processes that reported no settings, because they are of an older version or have just
     *     started
     */
    public record SettingsReport(List<Setting> settings, List<Process> notReporting) {}

    public SettingsReport effective() {
        Map<String, Map<String, List<Process>>> settings = new TreeMap<>();
        List<Process> silent = new ArrayList<>();
        for (Instance instance : instances.liveNow()) {
            Process process = new Process(instance.id(), instance.name(), String.join(", ", instance.roles()));
            Map<String, String> reported = instance.factsBelow(EffectiveSettings.FACT);
            reported.forEach((name, value) -> settings.computeIfAbsent(name, unseen -> new LinkedHashMap<>())
                    .computeIfAbsent(value, unseen -> new ArrayList<>())
                    .add(process));
            if (reported.isEmpty()) {
                silent.add(process);
            }
        }
        List<Setting> all = new ArrayList<>();
        settings.forEach((name, values) -> all.add(new Setting(name, values)));
        return new SettingsReport(all, silent);
    }
}
