package org.azuremail.web.operations;

import java.security.Principal;
import org.azuremail.mailclass.MailClass;
import org.azuremail.mailclass.MailClasses;
import org.azuremail.operations.ClassFigures;
import org.azuremail.web.layout.NotHere;
import org.azuremail.web.layout.Notice;
import org.azuremail.web.layout.Question;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;

/** Suspends and resumes a mail class; how the classes do is a part of the page Operations. */
@Controller
record ClassPages(ClassFigures figures, MailClasses classes) {

    private static final String BACK = "/operations#classes-title";

    @GetMapping("/operations/suspend")
    String askToSuspend(@RequestParam String name, Model model) {
        MailClass one = classes.find(name).orElseThrow(ClassPages::noClass);
        return new Question("suspend-class", "/operations/suspend", BACK)
                .about(one.name())
                .with("name", one.name())
                .showing("mailClass", one.name())
                .ask(model, "operations");
    }

    @PostMapping("/operations/suspend")
    String suspend(@RequestParam String name, Principal admin) {
        MailClass one = figures.suspend(name, admin.getName()).orElseThrow(ClassPages::noClass);
        return Notice.done("class-suspended", one.name()).on(BACK);
    }

    @PostMapping("/operations/resume")
    String resume(@RequestParam String name) {
        MailClass one = figures.resume(name).orElseThrow(ClassPages::noClass);
        return Notice.done("class-resumed", one.name()).on(BACK);
    }

    private static NotHere noClass() {
        return new NotHere("no-class");
    }
}
