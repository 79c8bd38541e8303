package org.azuremail.web.operations;

import org.azuremail.configuration.Configurations;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;

/** The settings that the processes run with, and which process has which. */
@Controller
record ConfigurationPages(Configurations configurations) {

    /** @param differing only those that processes do not agree on */
    @GetMapping("/operations/configuration")
    String all(@RequestParam(defaultValue = "false") boolean differing, Model model) {
        Configurations.Effective effective = configurations.effective();
        model.addAttribute("effective", effective);
        model.addAttribute(
                "settings",
                effective.settings().stream()
                        .filter(setting -> !differing || setting.differs())
                        .toList());
        model.addAttribute("differing", differing);
        return "operations/configuration";
    }
}
