package org.azuremail.web.layout;

import java.util.List;
import org.thymeleaf.context.IExpressionContext;
import org.thymeleaf.linkbuilder.StandardLinkBuilder;

/**
 * The links in pages. Styles, scripts and pictures get an address that changes with their content. Spring would look for such a file
 * in each jar at each use of any other link and never remember that there is none; a page of fifty subscribers has 160 links.
 */
final class PageLinks extends StandardLinkBuilder {

    private static final List<String> FILES = List.of("/css/", "/js/", "/img/", "/webjars/");

    @Override
    protected String processLink(IExpressionContext context, String link) {
        return FILES.stream().anyMatch(link::startsWith) ? super.processLink(context, link) : link;
    }
}
