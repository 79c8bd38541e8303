package org.azuremail.web.api.operations;

import java.util.List;
import org.azuremail.configuration.InstanceSettings;
import org.azuremail.web.api.Items;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** The settings with which the processes run. Secrets are masked before they leave a process. */
@RestController
record ConfigurationApi(InstanceSettings instanceSettings) {

    record SettingBody(String name, List<ValueBody> values) {}

    /** @param instances the ids of the processes, as in {@code GET /api/v1/operations} */
    record ValueBody(String value, List<String> instances) {}

    @GetMapping("/api/v1/configuration")
    Items<SettingBody> all() {
        return Items.all(
                instanceSettings.effective().settings(),
                setting -> new SettingBody(
                        setting.name(),
                        setting.values().entrySet().stream()
                                .map(value -> new ValueBody(
                                        value.getKey(),
                                        value.getValue().stream()
                                                .map(InstanceSettings.Process::id)
                                                .toList()))
                                .toList()));
    }
}
