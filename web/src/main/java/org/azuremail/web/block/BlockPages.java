package org.azuremail.web.block;

import org.azuremail.web.layout.PageNotFoundException;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;

/** The page of one block. */
@Controller
record BlockPages(Blocks blocks) {

    /** The most items shown. Each may cost a read of its own. */
    private static final int SHOWN = 100;

    @GetMapping("/blocks/{name}")
    String one(
            @PathVariable String name,
            @RequestParam @Nullable String sort,
            @RequestParam(defaultValue = "descending") String order,
            Model model) {
        boolean descending = !"ascending".equals(order);
        model.addAttribute(
                "block",
                blocks.show(name, sort, descending, SHOWN)
                        .orElseThrow(() -> new PageNotFoundException("no-such-page")));
        model.addAttribute("shown", SHOWN);
        return "block/one";
    }
}
